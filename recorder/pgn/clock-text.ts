const CLOCK = /^(\d{1,4}):(\d{1,2})(?::(\d{1,2}))?(?:[.,](\d{1,9}))?$/;

/**
 * Reads a clock time as PGN files spell it, to milliseconds; undefined when it is none. `h:mm:ss` with any number of
 * decimals; two parts are hours and minutes (`1:30` is an hour and a half), with decimals minutes and seconds (`1:30.5`).
 */
export function parseClock(text: string): number | undefined {
  const match = CLOCK.exec(text.trim());
  if (match === null) return undefined;
  const second = Number(match[2]);
  const third = Number(match[3] ?? 0);
  if (second > 59 || third > 59) return undefined;
  const ms = Number((match[4] ?? '').padEnd(3, '0').slice(0, 3));
  const shifted = match[3] === undefined && match[4] !== undefined;
  return ((Number(match[1]) * 60 + second) * (shifted ? 1 : 60) + third) * 1000 + ms;
}

/** Writes milliseconds as `h:mm:ss`, or `h:mm:ss.d` with tenths; parts of the last digit are dropped, as a clock shows them. */
export function makeClock(ms: number, tenths = false): string {
  const total = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / 100)) : 0;
  const seconds = Math.floor(total / 10);
  const two = (n: number): string => String(n).padStart(2, '0');
  const text = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return tenths ? `${text}.${total % 10}` : text;
}
