/** Games through the reconstructor and the Laws, and what of their flags was earned. */
import type { HandGame } from '../../boards/hand/people.ts';
import { playPeople } from '../../boards/hand/people.ts';
import { HABITS, type Profile } from '../../boards/hand/profiles.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import { type Flag, wordOf } from '../../core/flag.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { createLaws } from '../../core/laws/laws.ts';
import type { RateOfPlay } from '../../core/laws/rate-of-play.ts';
import { parseTimeControl } from '../../core/laws/time-control.ts';
import { withLaws } from '../../core/laws/with-laws.ts';
import { runThrough } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { type IrregularGame, playIrregular, type Wrong } from '../sim/hand/irregular-hands.ts';

/** Who plays at each rate of play. */
export const PEOPLE: Readonly<Record<RateOfPlay, Profile>> = {
  standard: 'classical',
  rapid: 'rapid',
  blitz: 'blitz',
};

/** Words that accuse a player of something, or end a game. */
const ACCUSING =
  /^(TOUCH_MOVE|ROOK_TOUCHED_FIRST|ILLEGAL|IRREGULAR_SINCE|PRESSED_WITHOUT_MOVE|OUT_OF_TURN|CASTLING_INCOMPLETE|EP_VICTIM_LEFT|PROMO_INCOMPLETE|DRAW_A54|FLAG_FALL|TIME_ADDED|CLOCK_JUMP|PERIOD_EARLY|DISPLACED|WRONG_START)/;

const isAccusing = ({ code, severity }: Flag): boolean => ACCUSING.test(code) && severity !== 'info';

function judge(events: readonly SensorEvent[], start: string, profile: Profile, chess960: boolean): Flag[] {
  const { baseMs, incrementMs } = HABITS[profile].clock;
  const control = parseTimeControl(`${baseMs / 1000}+${incrementMs / 1000}`);
  if (!control.ok) throw new Error(control.fault.message);
  const machine = withLaws(
    createReconstructor({
      profile: { sensing: 'identity', scanMs: 250 },
      start,
      variant: chess960 ? 'chess960' : 'standard',
    }),
    createLaws({ controls: { white: control.value, black: control.value } }),
  );
  const out: Iterable<GameEvent> = runThrough(machine, events, (events.at(-1)?.atMs ?? 0) + 120_000);
  return [...out].flatMap((event) => (event.type === 'flag' ? [event.flag] : []));
}

/** Plays a game with clean hands at this rate; gives the accusing flags, which nobody has earned. */
export function findFalseAccusations(game: HandGame, rate: RateOfPlay, seed: number): Flag[] {
  const profile = PEOPLE[rate];
  const played = playPeople(game, {
    seed,
    profile,
    noise: 'none',
    clock: true,
    afterGame: 'nothing',
    maxThinkMs: 20_000,
  });
  if (!played.ok) throw new Error(played.fault.message);
  const { start, variant, flags } = played.value;
  const clockEveryMs = rate === 'standard' ? 5000 : 1000;
  const { events } = scanGame(played.value, { seed, noise: 'none', sensing: 'identity', clockEveryMs });
  const truth = flags.map(({ word, ply }) => `${word} ${ply}`);
  return judge(events, start, profile, variant === 'chess960').filter(
    (flag) => isAccusing(flag) && !truth.includes(`${wordOf(flag.code)} ${flag.ply}`),
  );
}

/** How something done wrong has come out. */
export interface IrregularVerdict {
  readonly game: IrregularGame;
  /** It was flagged by its word at its ply. */
  readonly isFound: boolean;
  /** Accusing flags of other plies than the one and what follows it. */
  readonly others: readonly Flag[];
  readonly flags: readonly Flag[];
  readonly events: readonly SensorEvent[];
}

/** Plays a part of a game and something wrong at its end; undefined where the game has no place for it. */
export function judgeIrregular(
  game: HandGame,
  wrong: Wrong,
  rate: RateOfPlay,
  seed: number,
): IrregularVerdict | undefined {
  const profile = PEOPLE[rate];
  const irregular = playIrregular(game, wrong, profile, seed);
  if (irregular === undefined) return undefined;
  const { played, word, ply } = irregular;
  const truth = played.flags.map((flag) => `${flag.word} ${flag.ply}`);
  const { events } = scanGame(played, { seed, noise: 'none', sensing: 'identity', clockEveryMs: 1000 });
  const flags = judge(events, played.start, profile, played.variant === 'chess960');
  return {
    game: irregular,
    isFound: flags.some((f) => wordOf(f.code) === word && f.ply === ply && f.severity !== 'info'),
    others: flags.filter(
      (f) => isAccusing(f) && f.ply < ply && !truth.includes(`${wordOf(f.code)} ${f.ply}`),
    ),
    flags,
    events,
  };
}
