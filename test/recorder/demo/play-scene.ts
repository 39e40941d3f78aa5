import type { SimulatorEvent, SimulatorOutput } from '../../../boards/definition.ts';
import { findBoard } from '../../../boards/registry.ts';
import type { GameEvent } from '../../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../../core/game-record.ts';
import { MachineDriver } from '../../../core/machine.ts';
import type { DeskScene } from '../../../recorder/demo/desk-scenes.ts';
import { createDerivation } from '../../../recorder/derive.ts';
import { lawsOptionsOf } from '../../../recorder/event-rules.ts';

/** Time goes on in steps of so much, ms. */
const STEP_MS = 10;
/** The board is switched on, asked and understood before hands begin, ms. */
export const READY_MS = 2000;

/** What the recorder makes of a scene. */
export interface PlayedScene {
  readonly records: readonly GameRecord[];
  readonly isUp: boolean;
}

/**
 * Plays a scene at a simulated board that a session asks as it would a real one, in time that nobody waits for, and derives
 * its games up to `untilMs`. Hands go on after a cable as those of the demo do: `backMs` after the board is heard again.
 */
export function playScene(scene: DeskScene, untilMs: number, backMs: number): PlayedScene {
  const found = findBoard('dgt');
  if (!found.ok) throw new Error(found.fault.message);
  const definition = found.value;
  const {
    start,
    placement = start?.split(' ')[0],
    isTurned,
    keepsNoLog,
    rules = {},
    unplugged,
    actions,
  } = scene;
  const board = new MachineDriver<SimulatorEvent, SimulatorOutput>(
    definition.createSimulator({
      ...(placement !== undefined && { placement }),
      ...(isTurned !== undefined && { rotated: isTurned }),
      ...(keepsNoLog !== undefined && { keepsNoLog }),
    }),
  );
  const openSession = () => new MachineDriver(definition.createSession());
  let session = openSession();
  const derivation = new MachineDriver(
    createDerivation({ definition, ...(start !== undefined && { start }), laws: lawsOptionsOf(rules) }),
  );
  const events: GameEvent[] = [];
  let isIn = true;
  let isOpen = false;
  let isUp = false;
  let lostAtMs: number | undefined;
  /** How much later than planned hands do things. */
  let lateMs = READY_MS;
  /** What is waited for before hands go on. */
  let phase: 'playing' | 'unplugged' | 'returning' | 'back' = 'playing';

  const derive = (outputs: ReturnType<typeof derivation.feed>): void => {
    for (const output of outputs) if (output.type === 'event') events.push(output.event);
  };
  const hear = (outputs: ReturnType<typeof session.feed>, atMs: number): Uint8Array[] => {
    const writes: Uint8Array[] = [];
    for (const output of outputs) {
      if (output.type === 'write') writes.push(output.bytes);
      else if (output.type === 'state' && output.state === 'ready' && !isUp) {
        isUp = true;
        derive(derivation.feed({ type: 'link', atMs, link: 'up' }));
      } else if (output.type === 'lost') {
        if (isUp) derive(derivation.feed({ type: 'link', atMs, link: 'lost' }));
        isUp = false;
        lostAtMs ??= atMs;
        isOpen = false;
      }
    }
    return writes;
  };
  /** Lets both ends talk until neither has anything to say. */
  const talk = (said: SimulatorOutput[], asked: Uint8Array[], atMs: number): void => {
    let [toHost, toBoard] = [said.map(({ bytes }) => bytes), asked];
    while (isIn && (toHost.length > 0 || toBoard.length > 0)) {
      const answers: Uint8Array[] = [];
      for (const bytes of toHost) {
        if (isUp) derive(derivation.feed({ type: 'rx', atMs, bytes }));
        answers.push(...hear(session.feed({ type: 'bytes', atMs, bytes }), atMs));
      }
      toHost = [...toBoard, ...answers].flatMap((bytes) =>
        board.feed({ type: 'bytes', atMs, bytes }).map((output) => output.bytes),
      );
      toBoard = [];
    }
  };

  let next = 0;
  for (let atMs = 0; atMs <= untilMs; atMs += STEP_MS) {
    if (!isOpen && isIn) {
      session = openSession();
      isOpen = true;
      talk(
        [],
        hear(
          session.feed({ type: 'opened', atMs, ...(lostAtMs !== undefined && { awayMs: atMs - lostAtMs }) }),
          atMs,
        ),
        atMs,
      );
    }
    talk(board.advance(atMs), isOpen ? hear(session.advance(atMs), atMs) : [], atMs);
    derive(derivation.advance(atMs));
    if (unplugged !== undefined) {
      const { fromMs, toMs } = unplugged;
      if (phase === 'playing' && atMs - lateMs >= fromMs) {
        phase = 'unplugged';
        isIn = false;
      } else if (phase === 'unplugged' && toMs !== undefined && atMs - lateMs >= toMs && !isUp) {
        phase = 'returning';
        isIn = true;
      } else if (phase === 'returning' && isUp) {
        phase = 'back';
        lateMs = atMs + backMs - toMs!;
      }
    }
    for (; next < actions.length && actions[next]!.atMs + lateMs <= atMs; next++) {
      const action = actions[next]!;
      const isAfter = unplugged?.toMs !== undefined && action.atMs >= unplugged.toMs;
      if (isAfter && phase !== 'back') break;
      if (action.type !== 'press') talk(board.feed({ ...action, atMs }), [], atMs);
    }
  }
  return { records: makeRecords(events), isUp };
}
