/** Corrects a record: moves by typing or by moving pieces, checked and their consequences shown before they are stored. */
import { useEffect, useState } from 'preact/hooks';
import type { GameRecord } from '../../../core/game-record.ts';
import { lineOf } from '../../../core/laws/game-line.ts';
import type { Position } from '../../../core/position.ts';
import { playRecorded } from '../../../core/recorded-ply.ts';
import { checkCorrection } from '../../correct-record.ts';
import type { EntryContent } from '../../entry.ts';
import type { Consequences, GameDetails } from '../model/desk-api.ts';
import { BoardEditor, movesBetween } from './board-editor.tsx';
import { isBusy, mayEnter, sayConsequences, store } from './decide.ts';
import { foresee, ServerFault } from './server.ts';
import { say, sayMove, sayMoves } from './speech.ts';

const MODES = ['replace', 'insert', 'delete', 'cut'] as const;
type Mode = (typeof MODES)[number];

/** What a correction is checked against: the part of a record that bears on it. */
const recordOf = ({ start, variant, plies }: GameDetails): GameRecord =>
  ({ start, variant, plies, flags: [] }) as unknown as GameRecord;

/** The position after moves that have been typed so far, as far as they can be played. */
function positionAfter(from: Position, moves: readonly string[]): Position {
  let position = from;
  for (const text of moves) {
    const played = playRecorded(position, text, text);
    if (played === undefined) break;
    position = played.after;
  }
  return position;
}

export interface CorrectFormProps {
  readonly game: GameDetails;
  /** Number of the ply from which on is corrected. */
  readonly from: number;
  readonly onFrom: (ply: number) => void;
  readonly isTurned: boolean;
}

export function CorrectForm({ game, from, onFrom, isTurned }: CorrectFormProps) {
  const [mode, setMode] = useState<Mode>('replace');
  const [text, setText] = useState('');
  const [count, setCount] = useState(1);
  const [promoting, setPromoting] = useState<readonly string[]>([]);
  const [foreseen, setForeseen] = useState<Consequences | ServerFault | undefined>(undefined);
  const last = game.plies.length;
  const moves = text.split(/[\s,;]+|\d+\.+/).filter((word) => word !== '');
  const line = lineOf(game.start, game.variant, game.plies.slice(0, from - 1));
  const position = positionAfter(line.position, moves);
  const isWithMoves = mode === 'replace' || mode === 'insert';
  const replaces =
    mode === 'insert' ? 0 : mode === 'delete' ? count : mode === 'cut' ? undefined : moves.length;
  const checked =
    isWithMoves && moves.length === 0
      ? undefined
      : checkCorrection(recordOf(game), from, isWithMoves ? moves : [], replaces);
  const fault = checked !== undefined && 'move' in checked ? checked : undefined;
  const what: EntryContent | undefined =
    checked !== undefined && !('move' in checked) ? checked.correction : undefined;
  const asked = what === undefined ? '' : JSON.stringify(what);

  useEffect(() => {
    setForeseen(undefined);
    if (asked === '' || !mayEnter({ type: 'correction' })) return undefined;
    let isCurrent = true;
    // While somebody types, every letter would ask anew.
    const timer = setTimeout(() => {
      foresee(game.game, JSON.parse(asked) as EntryContent)
        .then((answer) => isCurrent && setForeseen(answer))
        .catch((error: unknown) => isCurrent && error instanceof ServerFault && setForeseen(error));
    }, 250);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked, game.revision, game.lastEntry]);

  const add = (uci: string): void => {
    const move = position.parseUci(uci);
    if (move === undefined) return;
    setText(`${text.trim()} ${position.san(move)}`.trim());
    setPromoting([]);
    if (!isWithMoves) setMode('replace');
  };
  const onMove = (a: string, b: string): void => {
    const found = movesBetween(position, a, b).map((move) => position.uci(move));
    if (found.length === 1) add(found[0]!);
    else setPromoting(found);
  };
  const save = (): void => {
    if (what === undefined) return;
    store(game.game, what, game);
    setText('');
  };

  return (
    <form
      class="correct"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="fields">
        <label>
          {say('correct-from')}{' '}
          <input
            id="correct-from"
            type="number"
            min={1}
            max={last + 1}
            value={from}
            onInput={(event) =>
              onFrom(Math.min(last + 1, Math.max(1, Number(event.currentTarget.value) || 1)))
            }
          />{' '}
          <span class="place">
            {line.position.fullmoves}
            {line.position.turn === 'white' ? '.' : '…'} {from <= last && sayMove(game.plies[from - 1]!.san)}
          </span>
        </label>
        <label>
          {say('correct-mode')}{' '}
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {MODES.map((name) => (
              <option key={name} value={name}>
                {say(`mode-${name}`)}
              </option>
            ))}
          </select>
        </label>
        {mode === 'delete' && (
          <label>
            {say('correct-count')}{' '}
            <input
              type="number"
              min={1}
              max={Math.max(1, last - from + 1)}
              value={count}
              onInput={(event) => setCount(Math.max(1, Number(event.currentTarget.value) || 1))}
            />
          </label>
        )}
        {isWithMoves && (
          <label class="wide">
            {say('correct-moves')}
            <input
              id="correct-moves"
              type="text"
              autocomplete="off"
              spellcheck={false}
              value={text}
              aria-invalid={fault !== undefined}
              aria-describedby="correct-verdict"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        {game.plies[from - 1]?.candidates !== undefined && (
          <p class="choices">
            {say('candidates')}:{' '}
            {[game.plies[from - 1]!.san, ...game.plies[from - 1]!.candidates!].map((san) => (
              <button
                key={san}
                type="button"
                onClick={() => {
                  setMode('replace');
                  setText(san);
                }}
              >
                {sayMove(san)}
              </button>
            ))}
          </p>
        )}
      </div>
      <div class="by-hand">
        <BoardEditor position={position} isTurned={isTurned} onMove={onMove} />
        <p class="hint">{say('correct-board')}</p>
        {promoting.length > 0 && (
          <p class="choices">
            {promoting.map((uci) => (
              <button key={uci} type="button" onClick={() => add(uci)}>
                {sayMove(position.san(position.parseUci(uci)!))}
              </button>
            ))}
          </p>
        )}
      </div>
      <div id="correct-verdict" class="verdict" aria-live="polite">
        {fault !== undefined && <p class="fault">{say('correct-illegal', { move: fault.move })}</p>}
        {checked !== undefined && !('move' in checked) && (
          <>
            <p>
              {say('line-then')}:{' '}
              {sayMoves([
                ...game.plies.slice(Math.max(0, from - 3), from - 1).map(({ san }) => san),
                ...checked.sans,
              ])}
              . {say('correct-kept', { kept: checked.kept, dropped: checked.dropped })}
            </p>
            <Foreseen foreseen={foreseen} />
          </>
        )}
      </div>
      <p class="actions">
        <button
          type="submit"
          class="first"
          disabled={
            what === undefined ||
            foreseen instanceof ServerFault ||
            isBusy.value ||
            !mayEnter({ type: 'correction' })
          }
        >
          {say('save')}
        </button>
        <button type="button" onClick={() => setText('')} disabled={text === ''}>
          {say('correct-clear')}
        </button>
      </p>
    </form>
  );
}

/** What comes of something, before it is stored. */
export function Foreseen({ foreseen }: { readonly foreseen: Consequences | ServerFault | undefined }) {
  if (foreseen === undefined) return <p class="hint">{say('checking')} …</p>;
  if (foreseen instanceof ServerFault)
    return (
      <p class="fault">
        {foreseen.message} {foreseen.cure}
      </p>
    );
  const told = sayConsequences(foreseen);
  return (
    <>
      {told.length === 0 && foreseen.differences.length === 0 && <p class="hint">{say('nothing-changes')}</p>}
      {told.length > 0 && (
        <ul aria-label={say('will-happen')}>
          {told.map((textOf) => (
            <li key={textOf}>{textOf}</li>
          ))}
        </ul>
      )}
    </>
  );
}
