/** Writes a span as people note it: `2:00`, `1:02:03`, below ten seconds with tenths (`0:07.5`); never negative. */
export function makeShortTime(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const seconds = Math.floor(tenths / 10);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const head = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  const tail = seconds < 10 && tenths % 10 > 0 ? `.${tenths % 10}` : '';
  return `${head}:${two(seconds % 60)}${tail}`;
}
