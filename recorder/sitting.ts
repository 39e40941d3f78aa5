import type { BoardDefinition } from '../boards/definition.ts';
import type { GameRecord } from '../core/game-record.ts';
import type { Machine } from '../core/machine.ts';
import { compareRecords } from './compare-records.ts';
import type { DeriveOptions, DeriveOutput } from './derive.ts';
import { createSittingDerivation, deriveSitting, type SittingDeriveOptions } from './derive-sitting.ts';
import { areSameRules, type EventRules } from './event-rules.ts';
import { type OpenQuestion, openQuestions } from './laws/open-questions.ts';
import type { RawInput } from './raw-input.ts';
import type { SittingPoint } from './relay/relay-message.ts';
import type { Sitting, SittingOptions, Store, StoredSitting } from './store/store.ts';

/** A board that has been silent longer than this does not go on with the same game after a restart of the recorder. */
const RESUME_MS = 6 * 3_600_000;

/** A sitting that is being recorded: its place in the store, its machine, and the games so far. */
export interface OpenSitting {
  readonly sitting: Sitting;
  readonly machine: Machine<RawInput, DeriveOutput>;
  /** Games as committed; the recorder goes on from them. */
  readonly records: GameRecord[];
  /** What derivation could not say at once and nobody has found out yet. */
  readonly questions: readonly OpenQuestion[];
  /** The link was up when the recorder ended: its loss is yet to be told. */
  readonly wasUp: boolean;
}

export interface BeginOptions {
  readonly board: string;
  readonly definition: BoardDefinition;
  readonly sitting: SittingOptions;
  readonly nowMs: number;
  readonly wallMs: number;
  readonly createReconstructor?: DeriveOptions['createReconstructor'];
}

/**
 * Begins to record a board: goes on with its last sitting when that is recent and began alike (the recorder was restarted
 * in the middle of a game), by running all its input through the machine again; else begins a new one. Other rules begin
 * a new sitting between games, and correct those of a game that is under way.
 */
export function beginSitting(store: Store, options: BeginOptions): OpenSitting {
  const { board, definition, nowMs, wallMs, createReconstructor } = options;
  const known = { definition, ...(createReconstructor !== undefined && { createReconstructor }) };
  let last = store.sittings().findLast((sitting) => sitting.board === board);
  if (last === undefined || !continues(store, last, options)) {
    const machine = createSittingDerivation(options.sitting, known);
    const sitting: Sitting = {
      board,
      kind: definition.id,
      options: options.sitting,
      startedMs: Math.floor(nowMs),
      startedWallMs: Math.floor(wallMs),
      id: undefined,
    };
    return { sitting, machine, records: [], questions: [], wasUp: false };
  }
  // What was said before and is not said now still counts; what is said now corrects it, for the whole sitting. Settings that say
  // the same as before say nothing against what somebody has set meanwhile.
  const { rules } = options.sitting;
  if (rules !== undefined && !isAlike(rules, settingsOf(store, last))) {
    const rulesId = store.setRules(last.id, rules, wallMs);
    last = { ...last, rulesId, options: { ...last.options, rules } };
  }
  return resume(store, last, known);
}

/** Goes on with a stored sitting: its input runs through the machine again. */
function resume(
  store: Store,
  last: StoredSitting,
  known: Omit<SittingDeriveOptions, 'entries'>,
): OpenSitting {
  const { machine, events, records, entered, news, isUp } = deriveSitting(store, last, known);
  // A newer program, other rules or a new entry may conclude otherwise; what goes on must go on from what is stored.
  const stored = store.games({ sittingId: last.id }).map((game) => game.record);
  const isBehind = store.behind().some(({ id }) => id === last.id);
  if (isBehind || compareRecords(stored, records).length > 0) store.replaceGames(last.id, events, entered);
  const questions = openQuestions(news, entered.entries);
  return { sitting: last, machine, records, questions, wasUp: isUp };
}

/**
 * Takes up a sitting that is recorded elsewhere, with what has arrived of it so far. When it began, and how, was decided
 * there. `isDerived`: a worker derives it, and goes on from `told`; not a sitting about which anything was entered, since no
 * worker knows of that.
 */
export function takeSitting(
  store: Store,
  sitting: Sitting & { readonly origin: string },
  known: Omit<SittingDeriveOptions, 'entries'>,
  isDerived = false,
): OpenSitting & { readonly position: number; readonly told: SittingPoint | undefined } {
  const arrival = store.relay.arrival(sitting.origin);
  const stored = arrival && store.sittings().find(({ id }) => id === arrival.sittingId);
  const position = arrival?.position ?? 0;
  const isOurs =
    stored !== undefined &&
    (store.entered(stored.id).entries.length > 0 ||
      store.rules(stored.id).some(({ by }) => by !== undefined));
  const told = isDerived && !isOurs ? { position, seenToMs: stored?.seenToMs ?? 0 } : undefined;
  if (stored !== undefined && told === undefined) return { ...resume(store, stored, known), position, told };
  return {
    sitting: stored ?? { ...sitting },
    machine: createSittingDerivation(sitting.options, known),
    records: stored === undefined ? [] : store.games({ sittingId: stored.id }).map(({ record }) => record),
    questions: [],
    wasUp: false,
    position,
    told,
  };
}

function continues(store: Store, last: StoredSitting, options: BeginOptions): boolean {
  const { start, variant, rotated } = last.options;
  const asked = options.sitting;
  return (
    last.kind === options.definition.id &&
    start === asked.start &&
    variant === asked.variant &&
    rotated === asked.rotated &&
    options.wallMs - last.lastWallMs < RESUME_MS &&
    (isAlike(asked.rules, settingsOf(store, last)) || isUnderWay(store, last))
  );
}

/** What the settings of a recorder last said of a sitting. */
const settingsOf = (store: Store, { id }: StoredSitting): EventRules | undefined =>
  store.rules(id).findLast(({ by }) => by === undefined)?.rules;

/** Whether rules that are asked for are those of a sitting; none are asked for when nobody says any. */
const isAlike = (asked: EventRules | undefined, known: EventRules = {}): boolean =>
  asked === undefined || areSameRules(asked, known);

/** A game that has begun and not ended is not cut in two because somebody corrects the rules. */
function isUnderWay(store: Store, { id }: StoredSitting): boolean {
  const record = store.games({ sittingId: id }).at(-1)?.record;
  return record !== undefined && record.plies.length > 0 && !record.ended;
}

/**
 * Boards in the middle of a game that were heard by an earlier run of the recorder, and until when, by the clock that reads `nowMs` at
 * `wallMs`: what they remember of the time since then belongs to their games.
 */
export function boardsAway(
  store: Store,
  nowMs: number,
  wallMs: number,
): { readonly board: string; readonly kind: string; readonly sinceMs: number }[] {
  const last = new Map(store.sittings().map((sitting) => [sitting.board, sitting]));
  return [...last.values()].flatMap((sitting) => {
    const { board, kind, lastWallMs } = sitting;
    const awayMs = wallMs - lastWallMs;
    if (awayMs < 0 || awayMs >= RESUME_MS || !isUnderWay(store, sitting)) return [];
    return [{ board, kind, sinceMs: nowMs - awayMs }];
  });
}
