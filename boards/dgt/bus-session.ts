/**
 * The conversation with all boards of one line (PROTOCOL.md, section 10). One question is on the line at a time:
 *
 *   opened ── wait ──▶ discovery: 8A to every known board, then 87 to all; again until nobody new answers
 *   a board that answers: 8B, 86 if it may have been away, 83, 8D ──▶ ready
 *   ready: 83 again and again (84 when the answer was damaged), 81 each second, 8D on doubt and at rest, 85 when the
 *          pieces stand in their array; no good answer for six seconds: lost, and pinged until it is back
 *
 * What a board has sent is handed out as `heard` and decoded by a decoder of that board alone, as a replay will do it.
 */
import type { FaultCode } from '../../core/board-error.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { type Placement, parsePlacement, placementsAgree, turnPlacement } from '../../core/placement.ts';
import type { Decoded, SessionEvent, SessionOutput, SessionState } from '../definition.ts';
import { ALL_BOARDS, BusDecoder, BusFramer, type BusReply, encodeBusCommand } from './bus-codec.ts';
import type { DiscardedBytes } from './frame.ts';
import type { BusCommandName, BusReplyName } from './messages.ts';

/** A port that was just opened may have reset a USB bridge. */
const OPEN_WAIT_MS = 400;
/** A reply begins within this time; the boards need 80 ms, the rest is for bridges and servers between. */
const ANSWER_MS = 300;
/** A reply that has begun goes on until bytes fail to come for this long. */
const CONTINUE_MS = 150;
/** Writing the array into the log takes a board this long. */
const START_GAME_MS = 600;
/** Boards answer a ping to all at a random moment of 1100 ms. */
const PING_ALL_MS = 1400;
/** Pings to all that nobody answers before the line is given up; the first may only have turned boards to bus mode. */
const EMPTY_ROUNDS = 6;
const LEAST_ROUNDS = 2;
const ROUND_PAUSE_MS = 400;
/** Boards that are switched on later are found by a ping to all from time to time. */
const REDISCOVER_MS = 20_000;

const POLL_MS = 250;
const CLOCK_EVERY_MS = 400;
/** The clock is asked right after the changes only: it must not tell of a press before the move that it was for is told. */
const FRESH_MS = 30;
const BOARD_AFTER_CHANGE_MS = 2000;
const BOARD_WHEN_IDLE_MS = 10_000;
const BOARD_GAP_MS = 1000;
/** Squares changing within this time of each other are one stream: no picture is asked for inside it. */
const STREAM_MS = 400;
const LONGEST_DOUBT_MS = 5000;
const ARRAY_RESTS_MS = 1500;

const SILENT_AFTER_MS = 2500;
const LOST_AFTER_MS = 6000;
const SEEK_EVERY_MS = 3000;
const ATTEMPTS = 3;

const ARRAY = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;
const TURNED_ARRAY = turnPlacement(ARRAY);
/** More squares than this differ from the array before it counts as set up anew. */
const LEFT_ARRAY = 6;

/** What a command is answered by, in order. */
const REPLIES: Readonly<Record<BusCommandName, readonly BusReplyName[]>> = {
  BUS_SEND_CLK: ['BUS_CLK'],
  BUS_SEND_BRD: ['BUS_BRD'],
  BUS_SEND_CHANGES: ['BUS_CHANGES'],
  BUS_REPEAT_CHANGES: ['BUS_CHANGES'],
  BUS_SET_START_GAME: ['BUS_START_GAME'],
  BUS_SEND_FROM_START: ['BUS_FROM_START'],
  BUS_PING: ['BUS_PING'],
  BUS_IGNORE_NEXT_PING: ['BUS_PING'],
  BUS_SEND_VERSION: ['BUS_VERSION'],
  BUS_SEND_ALL: ['BUS_CHANGES', 'BUS_CLK', 'BUS_BRD'],
};

type Phase = 'introducing' | 'ready' | 'lost';

/** One board of the line. */
interface Station {
  readonly address: number;
  readonly name: string;
  readonly decoder: BusDecoder;
  phase: Phase;
  state: SessionState | undefined;
  /** What is still asked before it is ready. */
  introduction: BusCommandName[];
  attempts: number;
  heardAtMs: number;
  /** Not before this time is it asked again. */
  restMs: number;
  pollAtMs: number;
  clockAtMs: number;
  /** When it told its changes last. */
  toldAtMs: number;
  boardAtMs: number;
  changedAtMs: number;
  doubtAtMs: number | undefined;
  /** An answer to 83 was damaged: only 84 gives it again. */
  isRepeat: boolean;
  /** Squares that differ from the array. */
  fromArray: number;
  /** The array stands and was declared the beginning of a game. */
  isStarted: boolean;
}

/** A question on the line. */
interface Asked {
  /** Undefined: all boards. */
  readonly station: Station | undefined;
  readonly command: BusCommandName;
  readonly missing: BusReplyName[];
  deadlineMs: number;
}

/** A ping to all and what leads to it. */
interface Round {
  readonly toSilence: Station[];
  isPinged: boolean;
  isNews: boolean;
}

/** Creates the session of a line of DGT boards; `opened` begins a new conversation each time. */
export const createDgtBusSession = (): Machine<SessionEvent, SessionOutput> => new DgtBusSession();

class DgtBusSession implements Machine<SessionEvent, SessionOutput> {
  #framer = new BusFramer();
  #out: SessionOutput[] = [];
  #nowMs = 0;
  #isOpen = false;
  #state: SessionState | undefined;
  #stations = new Map<number, Station>();
  #asked: Asked | undefined;
  #round: Round | undefined;
  #rounds = 0;
  #emptyRounds = 0;
  #roundAtMs = 0;
  #freeAtMs = 0;
  #byteAtMs = Number.NEGATIVE_INFINITY;
  #isNoisy = false;
  #wasAway = false;

  step(event: SessionEvent | Tick): Step<SessionOutput> {
    this.#nowMs = event.atMs;
    this.#out = [];
    switch (event.type) {
      case 'opened':
        this.#open(event.awayMs !== undefined);
        break;
      case 'bytes':
        if (event.bytes.length > 0) this.#byteAtMs = event.atMs;
        for (const framed of this.#framer.push(event.bytes, event.atMs)) this.#hear(framed);
        break;
      case 'tick':
        for (const framed of this.#framer.push(NO_BYTES, event.atMs)) this.#hear(framed);
        break;
      case 'command':
        // Commands of bus mode that carry data are not known well enough to be sent (PROTOCOL.md, section 10).
        this.#out.push({
          type: 'answer',
          id: event.id,
          ...(event.station !== undefined && { station: event.station }),
          fault: { code: 'COMMAND_UNSUPPORTED', message: 'a board on a line takes neither texts nor times' },
        });
        break;
    }
    const wakeAtMs = this.#act();
    return wakeAtMs === undefined ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #open(wasAway: boolean): void {
    this.#framer = new BusFramer();
    this.#isOpen = true;
    this.#state = undefined;
    this.#stations = new Map();
    this.#asked = undefined;
    this.#round = undefined;
    this.#rounds = 0;
    this.#emptyRounds = 0;
    this.#byteAtMs = Number.NEGATIVE_INFINITY;
    this.#isNoisy = false;
    this.#wasAway = wasAway;
    this.#freeAtMs = this.#nowMs + OPEN_WAIT_MS;
    this.#roundAtMs = this.#freeAtMs;
    this.#say(undefined, 'identifying');
  }

  // --- what is heard

  #hear(framed: BusReply | DiscardedBytes): void {
    if (framed.type === 'discarded') {
      this.#isNoisy = true;
      // Damage is most likely that of the answer that is waited for.
      const { station } = this.#asked ?? {};
      if (station === undefined) {
        if (this.#round !== undefined) this.#round.isNews = true;
        this.#out.push(framed);
      } else this.#decode(station, framed.bytes);
      return;
    }
    const station = this.#stations.get(framed.address) ?? this.#meet(framed);
    if (station === undefined) {
      this.#out.push({ type: 'message', name: 'BUS_STRANGER', payload: framed.bytes });
      return;
    }
    station.heardAtMs = this.#nowMs;
    this.#decode(station, framed.bytes);
    if (station.phase === 'lost') this.#introduce(station, true);
    else if (station.state === 'silent' && station.phase === 'ready') {
      this.#say(station, 'ready');
      this.#doubt(station);
    }
    this.#answered(station, framed.name);
  }

  /** A board that is heard for the first time; only its answer to a ping makes an address a board. */
  #meet({ name, address }: BusReply): Station | undefined {
    if (name !== 'BUS_PING' || address === ALL_BOARDS) return undefined;
    const station: Station = {
      address,
      name: String(address),
      decoder: new BusDecoder(),
      phase: 'introducing',
      state: undefined,
      introduction: [],
      attempts: 0,
      heardAtMs: this.#nowMs,
      restMs: this.#nowMs,
      pollAtMs: this.#nowMs,
      clockAtMs: this.#nowMs,
      toldAtMs: Number.NEGATIVE_INFINITY,
      boardAtMs: Number.NEGATIVE_INFINITY,
      changedAtMs: Number.NEGATIVE_INFINITY,
      doubtAtMs: undefined,
      isRepeat: false,
      fromArray: Number.POSITIVE_INFINITY,
      isStarted: false,
    };
    this.#stations.set(address, station);
    if (this.#round !== undefined) this.#round.isNews = true;
    this.#introduce(station, this.#wasAway);
    return station;
  }

  #introduce(station: Station, mayHaveBeenAway: boolean): void {
    station.phase = 'introducing';
    station.attempts = 0;
    station.isRepeat = false;
    station.doubtAtMs = undefined;
    // The log from the start of the game, then what came after: both together are all of it, in order.
    const log: readonly BusCommandName[] = mayHaveBeenAway ? ['BUS_SEND_FROM_START'] : [];
    station.introduction = ['BUS_SEND_VERSION', ...log, 'BUS_SEND_CHANGES', 'BUS_SEND_ALL'];
    this.#say(station, 'identifying');
  }

  /** Hands out what a board has sent and what it says. */
  #decode(station: Station, bytes: Uint8Array): void {
    this.#out.push({ type: 'heard', station: station.name, bytes });
    for (const item of station.decoder.decode(bytes, this.#nowMs)) {
      this.#out.push({ ...item, station: station.name });
      this.#note(station, item);
    }
  }

  #note(station: Station, item: Decoded): void {
    if (item.type === 'discarded') this.#doubt(station);
    if (item.type === 'message' && item.name === 'BUS_POWER_UP') {
      station.isStarted = false;
      this.#doubt(station);
    }
    if (item.type !== 'sensor') return;
    switch (item.event.type) {
      case 'clock':
        return;
      case 'square':
      case 'recalled':
        station.changedAtMs = this.#nowMs;
        break;
      case 'dump':
        station.boardAtMs = this.#nowMs;
        station.doubtAtMs = undefined;
        break;
    }
    const { placement } = station.decoder;
    station.fromArray = placement === undefined ? Number.POSITIVE_INFINITY : differences(placement);
    if (station.fromArray > LEFT_ARRAY) station.isStarted = false;
  }

  #doubt(station: Station): void {
    station.doubtAtMs ??= this.#nowMs;
  }

  #answered(station: Station, name: BusReplyName | undefined): void {
    const asked = this.#asked;
    if (asked === undefined || asked.station !== station || name === undefined) return;
    const at = asked.missing.indexOf(name);
    if (at === -1) return;
    // What should have come before it will not come after it.
    const skipped = asked.missing.splice(0, at + 1).slice(0, -1);
    if (skipped.includes('BUS_CHANGES')) station.isRepeat = true;
    if (name === 'BUS_CHANGES') {
      station.isRepeat = false;
      station.toldAtMs = this.#nowMs;
    }
    if (skipped.length > 0) this.#doubt(station);
    if (asked.missing.length > 0) {
      asked.deadlineMs = this.#nowMs + ANSWER_MS;
      return;
    }
    this.#asked = undefined;
    station.attempts = 0;
    if (asked.command === 'BUS_SET_START_GAME') {
      station.isStarted = true;
      this.#doubt(station);
    }
    if (station.phase !== 'introducing' || asked.command !== station.introduction[0]) return;
    station.introduction.shift();
    if (station.introduction.length > 0) return;
    station.phase = 'ready';
    station.pollAtMs = this.#nowMs;
    station.clockAtMs = this.#nowMs + CLOCK_EVERY_MS;
    // A game that is under way when we come has been declared, or had no declaration: its beginning is not now.
    this.#say(undefined, 'ready');
    this.#say(station, 'ready');
  }

  // --- what is done

  #act(): number | undefined {
    for (;;) {
      const dueMs = this.#dueMs();
      if (dueMs === undefined || dueMs > this.#nowMs) return dueMs;
      this.#doDue();
    }
  }

  #dueMs(): number | undefined {
    if (!this.#isOpen) return undefined;
    if (this.#asked !== undefined) {
      const { deadlineMs, command } = this.#asked;
      if (command === 'BUS_PING' && this.#asked.station === undefined) return deadlineMs;
      // A reply that is under way is waited for as long as bytes come.
      if (this.#framer.isUnfinished) return Math.max(deadlineMs, this.#byteAtMs + CONTINUE_MS);
      return deadlineMs;
    }
    let due = this.#round !== undefined ? this.#nowMs : this.#roundAtMs;
    for (const station of this.#stations.values()) due = Math.min(due, this.#stationDueMs(station));
    return Math.max(due, this.#freeAtMs);
  }

  #stationDueMs(station: Station): number {
    switch (station.phase) {
      case 'introducing':
      case 'lost':
        return station.restMs;
      case 'ready':
        return Math.max(
          station.restMs,
          Math.min(station.pollAtMs, station.clockAtMs, this.#boardDueMs(station), this.#startDueMs(station)),
        );
    }
  }

  #boardDueMs({ changedAtMs, boardAtMs, doubtAtMs }: Station): number {
    const idleMs =
      changedAtMs > boardAtMs ? changedAtMs + BOARD_AFTER_CHANGE_MS : boardAtMs + BOARD_WHEN_IDLE_MS;
    if (doubtAtMs === undefined) return idleMs;
    const quietMs = Math.min(Math.max(doubtAtMs, changedAtMs + STREAM_MS), doubtAtMs + LONGEST_DOUBT_MS);
    return Math.min(idleMs, Math.max(quietMs, boardAtMs + BOARD_GAP_MS));
  }

  /** The array that stands untouched is declared the beginning of a game, once. */
  #startDueMs({ isStarted, decoder, changedAtMs, boardAtMs, isRepeat }: Station): number {
    const { placement } = decoder;
    if (
      isStarted ||
      isRepeat ||
      placement === undefined ||
      boardAtMs < changedAtMs ||
      differences(placement) > 0
    )
      return Number.POSITIVE_INFINITY;
    return Math.max(changedAtMs, boardAtMs - BOARD_WHEN_IDLE_MS) + ARRAY_RESTS_MS;
  }

  #doDue(): void {
    if (this.#asked !== undefined) {
      this.#giveUp(this.#asked);
      return;
    }
    if (this.#round !== undefined || this.#roundAtMs <= this.#nowMs) {
      this.#goRound();
      return;
    }
    const [station] = [...this.#stations.values()].sort(
      (a, b) => this.#stationDueMs(a) - this.#stationDueMs(b),
    );
    if (station !== undefined) this.#askStation(station);
  }

  #askStation(station: Station): void {
    if (station.phase === 'lost') {
      station.restMs = this.#nowMs + SEEK_EVERY_MS;
      this.#ask(station, 'BUS_PING');
      return;
    }
    if (station.phase === 'introducing') {
      this.#ask(station, station.introduction[0]!);
      return;
    }
    if (this.#boardDueMs(station) <= this.#nowMs && !station.isRepeat) {
      station.pollAtMs = this.#nowMs + POLL_MS;
      station.clockAtMs = this.#nowMs + CLOCK_EVERY_MS;
      this.#ask(station, 'BUS_SEND_ALL');
    } else if (this.#startDueMs(station) <= this.#nowMs) this.#ask(station, 'BUS_SET_START_GAME');
    else if (station.clockAtMs <= this.#nowMs && this.#nowMs - station.toldAtMs <= FRESH_MS) {
      station.clockAtMs = this.#nowMs + CLOCK_EVERY_MS;
      this.#ask(station, 'BUS_SEND_CLK');
    } else {
      station.pollAtMs = this.#nowMs + POLL_MS;
      this.#ask(station, station.isRepeat ? 'BUS_REPEAT_CHANGES' : 'BUS_SEND_CHANGES');
    }
  }

  #ask(station: Station, command: BusCommandName): void {
    const answerMs = command === 'BUS_SET_START_GAME' ? START_GAME_MS : ANSWER_MS;
    this.#asked = {
      station,
      command,
      missing: [...REPLIES[command]],
      deadlineMs: this.#nowMs + answerMs,
    };
    // Pings for boards that are gone are the line's own, not the record of a board.
    const of = station.phase === 'lost' ? {} : { station: station.name };
    this.#out.push({ type: 'write', bytes: encodeBusCommand(command, station.address), ...of });
  }

  /** The next step of a round: silence those who are known, one by one, then ping all. */
  #goRound(): void {
    this.#round ??= {
      toSilence: [...this.#stations.values()].filter(({ phase }) => phase !== 'lost'),
      isPinged: false,
      isNews: false,
    };
    const known = this.#round.toSilence.shift();
    if (known !== undefined) {
      this.#ask(known, 'BUS_IGNORE_NEXT_PING');
      return;
    }
    this.#round.isPinged = true;
    this.#asked = {
      station: undefined,
      command: 'BUS_PING',
      missing: [],
      deadlineMs: this.#nowMs + PING_ALL_MS,
    };
    this.#out.push({ type: 'write', bytes: encodeBusCommand('BUS_PING', ALL_BOARDS) });
  }

  #giveUp(asked: Asked): void {
    this.#asked = undefined;
    const { station, command } = asked;
    if (station === undefined) {
      this.#endRound();
      return;
    }
    // Noise that goes on would otherwise take the whole line.
    this.#freeAtMs = this.#nowMs;
    if (command === 'BUS_IGNORE_NEXT_PING') return;
    if (asked.missing.includes('BUS_CHANGES'))
      station.isRepeat = station.phase === 'ready' || station.isRepeat;
    if (command === 'BUS_SEND_ALL') this.#doubt(station);
    // A board that cannot do it is not asked again: without it only the log from the start is missing.
    if (command === 'BUS_SET_START_GAME') station.isStarted = true;
    if (station.phase === 'lost') return;
    station.restMs = this.#nowMs + POLL_MS;
    const unheardMs = this.#nowMs - station.heardAtMs;
    if (station.phase === 'introducing') {
      station.attempts++;
      // What 8D was to tell first only 84 tells again.
      if (command === 'BUS_SEND_ALL' && asked.missing.includes('BUS_CHANGES'))
        station.introduction.unshift('BUS_REPEAT_CHANGES');
      const isOptional = command === 'BUS_SEND_VERSION' || command === 'BUS_SEND_FROM_START';
      if (isOptional && station.attempts >= ATTEMPTS) {
        station.introduction.shift();
        station.attempts = 0;
      } else if (command === 'BUS_SEND_CHANGES') station.introduction[0] = 'BUS_REPEAT_CHANGES';
      // What was repeated was perhaps an old packet: the board had not heard the first question.
      else if (command === 'BUS_REPEAT_CHANGES' && station.attempts >= ATTEMPTS) {
        station.introduction[0] = 'BUS_SEND_CHANGES';
        station.attempts = 0;
      }
    } else if (unheardMs >= SILENT_AFTER_MS) this.#say(station, 'silent');
    if (unheardMs >= LOST_AFTER_MS) this.#lose(station);
  }

  #endRound(): void {
    const { isNews } = this.#round!;
    this.#round = undefined;
    this.#rounds++;
    if (this.#stations.size === 0) {
      this.#emptyRounds++;
      if (this.#emptyRounds >= EMPTY_ROUNDS) {
        this.#giveUpLine();
        return;
      }
    }
    const again = isNews || this.#rounds < LEAST_ROUNDS || this.#stations.size === 0;
    this.#roundAtMs = this.#nowMs + (again ? ROUND_PAUSE_MS : REDISCOVER_MS);
  }

  #giveUpLine(): void {
    const code: FaultCode = this.#isNoisy ? 'LINK_FOREIGN' : 'LINK_SILENT';
    const message = this.#isNoisy
      ? 'what answers is no line of DGT boards'
      : 'no board answers on the line: check its power and its cables';
    this.#isOpen = false;
    this.#say(undefined, 'silent');
    this.#out.push({ type: 'lost', atMs: this.#nowMs, fault: { code, message } });
  }

  #lose(station: Station): void {
    station.phase = 'lost';
    station.isRepeat = false;
    station.restMs = this.#nowMs + SEEK_EVERY_MS;
    this.#say(station, 'silent');
    const message = 'the board does not answer any more: check its power and its cable';
    this.#out.push({
      type: 'lost',
      station: station.name,
      atMs: this.#nowMs,
      fault: { code: 'LINK_SILENT', message },
    });
    // The cable of the whole line, or all boards: whoever opens the link again tells the difference.
    if ([...this.#stations.values()].every(({ phase }) => phase === 'lost')) this.#giveUpLine();
  }

  #say(station: Station | undefined, state: SessionState): void {
    const of = station === undefined ? {} : { station: station.name };
    if ((station === undefined ? this.#state : station.state) === state) return;
    if (station === undefined) this.#state = state;
    else station.state = state;
    this.#out.push({ type: 'state', atMs: this.#nowMs, state, ...of });
  }
}

const NO_BYTES = new Uint8Array(0);

/** How many squares differ from the array, seen from the side from which fewer do. */
function differences(placement: Placement): number {
  if (placementsAgree(placement, ARRAY) || placementsAgree(placement, TURNED_ARRAY)) return 0;
  const count = (array: Placement): number =>
    array.filter((cell, square) => cell !== placement[square]).length;
  return Math.min(count(ARRAY), count(TURNED_ARRAY));
}
