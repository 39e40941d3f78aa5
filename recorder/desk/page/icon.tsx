/** Small pictures drawn here: signs that many fonts do not have. They say nothing by themselves to whoever hears the page. */

const SHAPES = {
  pause: 'M3 2h4v12H3zM9 2h4v12H9z',
  stopwatch: 'M6 0h4v2H6zM8 3a6 6 0 1 0 0 12A6 6 0 0 0 8 3zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM7 6h2v4H7z',
  first: 'M2 2h3v12H2zM14 2v12L5 8z',
  previous: 'M13 2v12L4 8z',
  next: 'M3 2v12l9-6z',
  last: 'M11 2h3v12h-3zM2 2v12l9-6z',
  turn: 'M4 1 0 6h3v8h2V6h3zM12 15l4-5h-3V2h-2v8H8z',
  grip: 'M4 2h3v3H4zM9 2h3v3H9zM4 7h3v3H4zM9 7h3v3H9zM4 12h3v3H4zM9 12h3v3H9z',
  runs: 'M4 2v12l9-6z',
  check: 'M1.5 8.5 4 6l3 3 6-7 2 2-8 9.5z',
  again: 'M8 2a6 6 0 1 1-5.6 3.9l2 .7A4 4 0 1 0 8 4v3L3.5 3.5 8 0z',
  triangle: 'M8 1l8 14H0z',
  diamond: 'M8 0l8 8-8 8-8-8z',
  disc: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  ring: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  half: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 2v8a4 4 0 0 0 0-8z',
  square: 'M2 2h12v12H2z',
  cross: 'M3 1 8 6l5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5-5-5z',
} as const;

export type IconName = keyof typeof SHAPES;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path fill-rule="evenodd" d={SHAPES[name]} />
  </svg>
);
