const LOOK_MS = 20;

/** Resolves once a condition holds; rejects after `limitMs`, with what was waited for. */
export async function until(holds: () => boolean, what = 'a condition', limitMs = 60_000): Promise<void> {
  for (const endMs = performance.now() + limitMs; !holds(); ) {
    if (performance.now() > endMs) throw new Error(`${what} did not come in ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
