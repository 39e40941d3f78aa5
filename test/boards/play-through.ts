import type { BoardDefinition, SimulatorEvent } from '../../boards/definition.ts';
import type { HandAction } from '../../boards/hand/action.ts';
import { type HandGame, type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import type { Habits, NoiseLevel, Profile } from '../../boards/hand/profiles.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../core/game-record.ts';
import type { Machine } from '../../core/machine.ts';
import { MachineDriver } from '../../core/machine.ts';
import { createDerivation } from '../../recorder/derive.ts';
import type { RawInput } from '../../recorder/raw-input.ts';
import { mainRecord } from '../bench/score.ts';
import { Loop, type Traffic } from './loop.ts';

/** Hands that do one thing after the other, and signal nothing. */
const CALM: Partial<Habits> = { gesture: 0, overlap: 0, replyBeforePress: 0 };

/** Longest time any board may take from the opening of its link until it is ready. */
const READY_MS = 20_000;

/** People play a game calmly; their hands begin at 0 ms. */
export function playCalmly(
  game: HandGame,
  seed: number,
  profile: Profile = 'rapid',
  noise: NoiseLevel = 'none',
): PlayedGame {
  const played = playPeople(game, { seed, profile, noise, afterGame: 'nothing', habits: CALM });
  if (!played.ok) throw new Error(played.fault.message);
  return played.value;
}

/** A time in which nothing passes over the link, counted from when the hands begin. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Table {
  readonly played: PlayedGame;
  /** Its address on a line. */
  readonly station?: string;
}

/** What the recorder makes of each board after everything has passed through simulator, session and derivation. */
export function playThrough(
  definition: BoardDefinition,
  simulator: Machine<SimulatorEvent, { type: 'write'; bytes: Uint8Array }>,
  tables: readonly Table[],
  gaps: readonly Gap[] = [],
  asAway = true,
): { readonly loop: Loop; readonly records: (GameRecord | undefined)[] } {
  const loop = new Loop(definition.createSession(), simulator).open().wait(READY_MS);
  const links: RawInput[] = [];
  const startMs = loop.nowMs;
  type Act = { readonly atMs: number; do(): void };
  const acts: Act[] = tables.flatMap(({ played, station }) =>
    played.actions.flatMap((action: HandAction): Act[] => {
      if (action.type === 'press') return [];
      const act = (): void => {
        if (action.type === 'square') loop.square(action.square, action.cell, station);
        else loop.clock(action.whiteMs, action.blackMs, action.running, station);
      };
      return [{ atMs: startMs + action.atMs, do: act }];
    }),
  );
  for (const { fromMs, toMs } of gaps) {
    acts.push({
      atMs: startMs + fromMs,
      do: () => {
        loop.unplug();
        links.push({ type: 'link', atMs: loop.nowMs, link: 'lost' });
      },
    });
    acts.push({
      atMs: startMs + toMs,
      do: () => {
        links.push({ type: 'link', atMs: loop.nowMs, link: 'up' });
        loop.open(asAway ? toMs - fromMs : undefined);
      },
    });
  }
  acts.sort((a, b) => a.atMs - b.atMs);
  for (const act of acts) {
    if (act.atMs > loop.nowMs) loop.wait(act.atMs - loop.nowMs);
    act.do();
  }
  loop.wait(90_000);
  const records = tables.map(({ station }) =>
    mainRecord(derive(definition, loop.received(definition, station), links, loop.nowMs)),
  );
  return { loop, records };
}

function derive(
  definition: BoardDefinition,
  received: readonly Traffic[],
  links: readonly RawInput[],
  untilMs: number,
): GameRecord[] {
  const inputs: RawInput[] = [
    ...links,
    ...received.map(({ atMs, bytes }): RawInput => ({ type: 'rx', atMs, bytes })),
  ];
  // A link is up before its first bytes, and what came at the moment of its loss came before.
  const rank = (input: RawInput): number => (input.type !== 'link' ? 1 : input.link === 'up' ? 0 : 2);
  inputs.sort((a, b) => a.atMs - b.atMs || rank(a) - rank(b));
  const driver = new MachineDriver(createDerivation({ definition }));
  const events: GameEvent[] = [];
  for (const input of inputs)
    for (const output of driver.feed(input)) if (output.type === 'event') events.push(output.event);
  for (const output of driver.advance(untilMs)) if (output.type === 'event') events.push(output.event);
  return makeRecords(events);
}

/** The moves that were truly made, and those of a record. */
export const ucisOf = (plies: readonly { readonly uci: string }[] = []): string[] =>
  plies.map(({ uci }) => uci);
