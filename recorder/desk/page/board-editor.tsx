/** A board on which moves are made by moving pieces, with mouse, finger or keys of the form beside it. */
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import { useEffect, useRef } from 'preact/hooks';
import { makePlacement } from '../../../core/placement.ts';
import type { Position } from '../../../core/position.ts';
import { makeSquare, parseSquare } from '../../../core/square.ts';

export interface BoardEditorProps {
  readonly position: Position;
  readonly isTurned: boolean;
  /** A piece was moved: UCI without the promotion. */
  readonly onMove: (from: string, to: string) => void;
}

/** Legal squares by the square a piece stands on. */
function destinationsOf(position: Position): Map<Key, Key[]> {
  const all = new Map<Key, Key[]>();
  for (const { from, to } of position.moves()) {
    const key = makeSquare(from) as Key;
    all.set(key, [...(all.get(key) ?? []), makeSquare(to) as Key]);
  }
  return all;
}

export function BoardEditor({ position, isTurned, onMove }: BoardEditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api>(undefined);
  const moved = useRef(onMove);
  moved.current = onMove;
  const fen = makePlacement(position.cells);
  useEffect(() => {
    if (element.current === null) return undefined;
    board.current = Chessground(element.current, {
      coordinates: true,
      animation: { enabled: false },
      drawable: { enabled: false },
      movable: { free: false, events: { after: (from, to) => moved.current(from, to) } },
      premovable: { enabled: false },
    });
    return () => board.current?.destroy();
  }, []);
  useEffect(() => {
    board.current?.set({
      fen,
      orientation: isTurned ? 'black' : 'white',
      turnColor: position.turn,
      lastMove: [],
      movable: { color: position.turn, dests: destinationsOf(position) },
    });
  }, [fen, position.turn, isTurned]);
  return <div ref={element} class="editor" />;
}

/** The moves that go from one square to another: more than one only where a pawn promotes. */
export const movesBetween = (position: Position, from: string, to: string) =>
  position.moves().filter((move) => move.from === parseSquare(from) && move.to === parseSquare(to));
