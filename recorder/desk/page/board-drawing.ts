/**
 * Draws boards of the hall, each as one picture: a large hall has thousands of pieces, and as elements of the page every one of them
 * is laid out and listed anew with each move of any board.
 */
import { signal } from '@preact/signals';
import {
  EMPTY,
  OCCUPIED,
  parsePlacement,
  ROLES,
  roleOfCell,
  sideOfCell,
  UNKNOWN,
} from '../../../core/placement.ts';
import { parseSquare, SIDES, type Square } from '../../../core/square.ts';

/** What is drawn of a board. */
export interface DrawnBoard {
  /** FEN placement. */
  readonly placement: string;
  readonly lastUci?: string | undefined;
  readonly differing?: readonly Square[] | undefined;
}

/** Pictures of the pieces, by `white king`; empty until they have been loaded. */
export const pieces = signal<ReadonlyMap<string, HTMLImageElement>>(new Map());

/** Loads the pieces of the style sheet; boards are drawn without them until then. */
export async function loadPieces(): Promise<void> {
  const probe = document.createElement('div');
  probe.className = 'cg-wrap';
  probe.hidden = true;
  document.body.append(probe);
  const loaded = new Map<string, HTMLImageElement>();
  for (const side of SIDES)
    for (const role of ROLES) {
      const piece = document.createElement('piece');
      piece.className = `${role} ${side}`;
      probe.append(piece);
      const source = /^url\("?(.*?)"?\)$/.exec(getComputedStyle(piece).backgroundImage)?.[1];
      if (source === undefined) continue;
      const image = new Image();
      image.src = source;
      loaded.set(`${side} ${role}`, image);
    }
  probe.remove();
  await Promise.all([...loaded.values()].map((image) => image.decode()));
  sheets.clear();
  pieces.value = loaded;
}

/** Small pictures that change all the time are cheaper beside the graphics card than on it. */
const SOFTWARE: CanvasRenderingContext2DSettings = { willReadFrequently: true };

/** Pieces drawn at one size, side by side: an SVG picture is drawn from its curves each time, these are copied. */
interface Sheet {
  readonly drawn: HTMLCanvasElement;
  readonly places: ReadonlyMap<string, number>;
}

/** By the width of a square; boards of one hall have one or two. */
const sheets = new Map<number, Sheet>();
const MOST_SHEETS = 4;

function sheetOf(square: number): Sheet {
  const known = sheets.get(square);
  if (known !== undefined) return known;
  const of = pieces.peek();
  const canvas = document.createElement('canvas');
  canvas.width = square * Math.max(1, of.size);
  canvas.height = square;
  const context = canvas.getContext('2d', SOFTWARE);
  const places = new Map([...of.keys()].map((name, i) => [name, i * square]));
  for (const [name, image] of of) context?.drawImage(image, places.get(name)!, 0, square, square);
  if (sheets.size >= MOST_SHEETS) sheets.clear();
  const sheet = { drawn: canvas, places };
  sheets.set(square, sheet);
  return sheet;
}

const COLOURS = {
  light: '#f0d9b5',
  dark: '#b58863',
  last: 'rgb(20 120 0 / 45%)',
  differs: '#c2002f',
  differsGround: 'rgb(194 0 47 / 40%)',
  unknown: '#5b1a00',
} as const;

/** Squares from and to which the last move went. */
const squaresOf = (uci: string | undefined): Square[] => {
  const plain = uci?.replace('!', '') ?? '';
  return [plain.slice(0, 2), plain.slice(2, 4)].flatMap((name) => {
    const square = parseSquare(name);
    return square === undefined ? [] : [square];
  });
};

/** Draws a board with White below; `size`: width of the picture, pixels of the screen. */
export function drawBoard(canvas: HTMLCanvasElement, board: DrawnBoard, size: number): void {
  const square = Math.max(1, Math.round(size / 8));
  if (canvas.width !== square * 8) {
    canvas.width = square * 8;
    canvas.height = square * 8;
  }
  const context = canvas.getContext('2d', SOFTWARE);
  if (context === null) return;
  const x = (of: Square): number => (of & 7) * square;
  const y = (of: Square): number => (7 - (of >> 3)) * square;
  context.fillStyle = COLOURS.light;
  context.fillRect(0, 0, square * 8, square * 8);
  context.fillStyle = COLOURS.dark;
  for (let of = 0; of < 64; of++)
    if (((of & 7) + (of >> 3)) % 2 === 0) context.fillRect(x(of), y(of), square, square);
  context.fillStyle = COLOURS.last;
  for (const of of squaresOf(board.lastUci)) context.fillRect(x(of), y(of), square, square);
  const cells = parsePlacement(board.placement);
  const { drawn, places } = sheetOf(square);
  for (const [of, cell] of cells?.entries() ?? []) {
    if (cell === EMPTY) continue;
    const place = places.get(`${sideOfCell(cell)} ${roleOfCell(cell)}`);
    if (cell === OCCUPIED || cell === UNKNOWN) {
      context.fillStyle = COLOURS.unknown;
      context.font = `bold ${Math.round(square * 0.8)}px sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText('?', x(of) + square / 2, y(of) + square / 2);
    } else if (place !== undefined)
      context.drawImage(drawn, place, 0, square, square, x(of), y(of), square, square);
  }
  const edge = Math.max(2, Math.round(square / 7));
  for (const of of board.differing ?? []) {
    // A frame and a colour: neither alone says it.
    context.fillStyle = COLOURS.differsGround;
    context.fillRect(x(of), y(of), square, square);
    context.strokeStyle = COLOURS.differs;
    context.lineWidth = edge;
    context.strokeRect(x(of) + edge / 2, y(of) + edge / 2, square - edge, square - edge);
  }
}
