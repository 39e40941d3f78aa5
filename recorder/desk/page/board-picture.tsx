/** A board that is only looked at: pieces on squares, the last move, squares that differ. */
import { memo } from 'preact/compat';
import {
  cellsAgree,
  EMPTY,
  OCCUPIED,
  parsePlacement,
  roleOfCell,
  sideOfCell,
  UNKNOWN,
} from '../../../core/placement.ts';
import { makeSquare, parseSquare, type Square } from '../../../core/square.ts';
import { phrases } from './speech.ts';

export interface BoardPictureProps {
  /** FEN placement. */
  readonly placement: string;
  readonly lastUci?: string | undefined;
  readonly differing?: readonly Square[] | undefined;
  readonly isTurned?: boolean;
  /** What somebody hears who does not see it. */
  readonly label: string;
}

/**
 * Where squares stand, from the upper left corner, for both ways round. Not by transforms: each would be a layer of its own to the
 * browser, four thousand of them in a large hall. Made once: what is the same thing as before is not looked at again.
 */
const PLACES = [false, true].map((isTurned) =>
  Array.from({ length: 64 }, (_, square) => {
    const [file, rank] = [square & 7, square >> 3];
    const [x, y] = isTurned ? [7 - file, rank] : [file, 7 - rank];
    return { left: `${x * 12.5}%`, top: `${y * 12.5}%` };
  }),
);

const at = (square: Square, isTurned: boolean) => PLACES[Number(isTurned)]![square]!;

export const BoardPicture = memo(function BoardPicture(props: BoardPictureProps) {
  const { placement, lastUci, differing = [], isTurned = false, label } = props;
  const cells = parsePlacement(placement);
  const marks =
    lastUci === undefined ? [] : [lastUci.replace('!', '').slice(0, 2), lastUci.replace('!', '').slice(2, 4)];
  return (
    <div class="picture cg-wrap" role="img" aria-label={label}>
      <div class="squares" />
      {marks.map((name) => {
        const square = parseSquare(name);
        return square === undefined ? undefined : (
          <i key={`m${name}`} class="mark last" style={at(square, isTurned)} />
        );
      })}
      {differing.map((square) => (
        <i key={`d${square}`} class="mark differs" style={at(square, isTurned)} />
      ))}
      {cells !== undefined &&
        Array.from(cells, (cell, square) => {
          if (cell === EMPTY) return undefined;
          const style = at(square, isTurned);
          if (cell === OCCUPIED || cell === UNKNOWN)
            return (
              <b key={square} class="unknown" style={style}>
                ?
              </b>
            );
          return <piece key={square} class={`${sideOfCell(cell)} ${roleOfCell(cell)}`} style={style} />;
        })}
    </div>
  );
});

/** A placement in words: every piece by its square, for those who hear the page. */
export function describePlacement(placement: string): string {
  const cells = parsePlacement(placement);
  if (cells === undefined) return '';
  const { catalogue } = phrases.value;
  return (['white', 'black'] as const)
    .map((side) => {
      const pieces = Array.from(cells, (cell, square) =>
        sideOfCell(cell) === side ? `${catalogue.pieces[roleOfCell(cell)!].letter}${makeSquare(square)}` : '',
      ).filter((text) => text !== '');
      return `${catalogue.sides[side].title}: ${pieces.join(' ')}`;
    })
    .join('. ');
}

/** Squares on which two placements cannot be the same. */
export function differencesOf(seen: string, meant: string): Square[] {
  const [a, b] = [parsePlacement(seen), parsePlacement(meant)];
  if (a === undefined || b === undefined) return [];
  return Array.from(a.keys()).filter((square) => !cellsAgree(a[square]!, b[square]!));
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: preact.HTMLAttributes<HTMLElement>;
    }
  }
}
