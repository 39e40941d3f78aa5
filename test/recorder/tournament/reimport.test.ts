import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { START_FEN } from '../../../core/position.ts';
import { readImport } from '../../../recorder/import/read-file.ts';
import { openStore, type Sitting, type Store } from '../../../recorder/store/store.ts';
import { openTournamentStore, type TournamentStore } from '../../../recorder/store/tournament-store.ts';
import { readPairedGame } from '../../../recorder/tournament/join-games.ts';
import { planImport } from '../../../recorder/tournament/plan-import.ts';
import { planSwap } from '../../../recorder/tournament/plan-swap.ts';
import type { Pairing, Tournament } from '../../../recorder/tournament/tournament.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const WALL = Date.UTC(2026, 10, 30, 9);

/** A player as the pairing program has him. */
interface Entrant {
  name: string;
  readonly fideId: number | undefined;
  rating: number;
}

/** A round as the pairing program has it: pairs of entrants by their numbers, in the order of the tables. */
type List = readonly (readonly [white: number, black: number])[];

const NAMES = [
  'Anand',
  'Bird',
  'Cox',
  'Dahl',
  'Evans',
  'Fox',
  'Gray',
  'Hahn',
  'Ivanova',
  'Jonsson',
  'Kowalska',
  'Lopez',
];

const makeEntrants = (hasIds: boolean): Entrant[] =>
  NAMES.map((surname, i) => ({
    name: `${surname}, ${['Ada', 'Eva', 'Una', 'Ida'][i % 4]}`,
    fideId: hasIds ? 13_500_000 + i : undefined,
    rating: 2500 - 50 * i,
  }));

/** The list as PGN with tags only, tables numbered or by their order. */
const makePgn = (list: List, entrants: readonly Entrant[], numbered: boolean): string =>
  list
    .map(([white, black], i) => {
      const side = (name: string, { name: player, fideId, rating }: Entrant): string =>
        `[${name} "${player}"]\n[${name}Elo "${rating}"]\n${fideId === undefined ? '' : `[${name}FideId "${fideId}"]\n`}`;
      return `[Round "${numbered ? `1.${i + 1}` : '1'}"]\n${side('White', entrants[white]!)}${side('Black', entrants[black]!)}[Result "*"]\n\n*\n`;
    })
    .join('\n');

const makeCsv = (list: List, entrants: readonly Entrant[], numbered: boolean): string =>
  `Round,Board,White,White FIDE ID,Black,Black FIDE ID\n${list
    .map(([white, black], i) =>
      [
        1,
        numbered ? i + 1 : '',
        `"${entrants[white]!.name}"`,
        entrants[white]!.fideId ?? '',
        `"${entrants[black]!.name}"`,
        entrants[black]!.fideId ?? '',
      ].join(','),
    )
    .join('\n')}\n`;

const FIRST: List = [
  [0, 1],
  [2, 3],
  [4, 5],
  [6, 7],
  [8, 9],
  [10, 11],
];

/** A hall: what the pairing program, the arbiter and the boards do to one database. */
class Hall {
  readonly #store: Store;
  readonly #tournament: TournamentStore;
  readonly #sittings = new Map<string, { sitting: Sitting; games: number }>();
  #atMs = 0;

  constructor() {
    const file = join(temporaryFolder(), 'games.sqlite');
    this.#store = openStore(file, { wallMs: () => WALL });
    this.#tournament = openTournamentStore(file);
  }

  get tournament(): Tournament {
    return this.#tournament.read();
  }

  import(text: string): number {
    const { changes } = planImport(this.tournament, readImport(new TextEncoder().encode(text), 'list'));
    this.#tournament.apply(changes, { by: 'test', wallMs: WALL + this.#atMs });
    return changes.length;
  }

  assign(pairing: number, eboard: string): void {
    this.#tournament.apply([{ type: 'assigned', pairing: { id: pairing }, eboard, takesGames: false }], {
      by: 'test',
      wallMs: WALL + this.#atMs,
    });
  }

  /** A table gets another electronic board in mid-game, and the game goes on there. */
  swap(pairing: Pairing, eboard: string): void {
    const plan = planSwap(this.tournament, pairing, eboard, (id) => this.#store.games({ id })[0]?.record);
    if (!plan.ok) throw new Error(plan.fault.message);
    this.#atMs += 1000;
    this.#tournament.apply(plan.value, { by: 'test', wallMs: WALL + this.#atMs });
  }

  /** A game begins on a board, or goes on there from another, and two plies are made. */
  play(eboard: string): void {
    const known = this.#sittings.get(eboard);
    const start = this.#store.startOf(eboard);
    this.#atMs += 60_000;
    const open = known ?? {
      sitting: {
        board: eboard,
        kind: 'dgt',
        options: { variant: 'standard', rotated: false, ...(start !== undefined && { start }) },
        startedMs: this.#atMs,
        startedWallMs: WALL + this.#atMs,
        id: undefined,
      },
      games: 0,
    };
    this.#sittings.set(eboard, open);
    open.games++;
    const at = { sitting: open.sitting, wallMs: WALL + this.#atMs };
    const atMs = this.#atMs;
    this.#store.enqueue({
      type: 'event',
      event: {
        type: 'gameStarted',
        atMs,
        game: open.games,
        variant: 'standard',
        start: start ?? START_FEN,
        orientation: 'normal',
      },
      ...at,
    });
    const moves =
      start !== undefined
        ? [
            ['Nf3', 'g1f3'],
            ['Nc6', 'b8c6'],
          ]
        : [
            ['e4', 'e2e4'],
            ['e5', 'e7e5'],
          ];
    for (const [i, [san, uci]] of moves.entries())
      this.#store.enqueue({
        type: 'event',
        event: {
          type: 'ply',
          atMs,
          number: i + 1,
          ply: { san: san!, uci: uci!, state: 'confirmed', madeAtMs: atMs },
        },
        ...at,
      });
    this.#store.commit();
  }

  /** Moves of the game of a pairing, on whichever boards it was played. */
  played(id: number): string[] | undefined {
    const pairing = this.tournament.pairings.find((one) => one.id === id)!;
    return readPairedGame(this.#store, pairing)?.record.plies.map(({ san }) => san);
  }

  /** Recorded games with the pairing and GameId each has. */
  games(): string[] {
    return this.#store
      .games()
      .map(({ id, pairing, tags, record }) => `${id} ${pairing} ${tags.GameId} ${record.plies.length}`);
  }

  close(): void {
    this.#tournament.close();
    this.#store.close();
  }
}

/** What may come between two imports of a running round. */
const STEPS = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('reorder' as const), seed: fc.integer({ min: 1, max: 1000 }) }),
    fc.record({ type: fc.constant('colours' as const), at: fc.nat(5) }),
    fc.record({ type: fc.constant('slip' as const), who: fc.nat(11) }),
    fc.record({ type: fc.constant('initial' as const), who: fc.nat(11) }),
    fc.record({ type: fc.constant('marries' as const), who: fc.nat(11) }),
    fc.record({ type: fc.constant('repair' as const), one: fc.nat(5), other: fc.nat(5) }),
    fc.record({ type: fc.constant('part' as const), most: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ type: fc.constant('play' as const), at: fc.nat(5) }),
    fc.record({ type: fc.constant('rating' as const), who: fc.nat(11) }),
    fc.record({ type: fc.constant('swap' as const), at: fc.nat(5) }),
  ),
  { maxLength: 8 },
);

const pairOf = ([a, b]: readonly [number, number]): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

describe('importing again into a running round', () => {
  it('loses no game, doubles none, and keeps the GameId of each', () => {
    fc.assert(
      fc.property(STEPS, fc.boolean(), fc.boolean(), (steps, hasIds, isCsv) => {
        const hall = new Hall();
        const entrants = makeEntrants(hasIds);
        let list: List = FIRST;
        let numbered = true;
        let swaps = 0;
        const text = (some: List = list): string => (isCsv ? makeCsv : makePgn)(some, entrants, numbered);
        hall.import(text());
        const ids = new Map<string, number>();
        const learn = (): void => {
          for (const pair of list) {
            const [white, black] = pair.map((at) => foldedId(hall.tournament, entrants[at]!));
            const found = hall.tournament.pairings.find(
              (pairing) =>
                !pairing.withdrawn &&
                [pairing.white?.id, pairing.black?.id].every((id) => id === white || id === black),
            );
            expect(found, `${pairOf(pair)} is there`).toBeDefined();
            const known = ids.get(pairOf(pair));
            if (known !== undefined) expect(found!.id).toBe(known);
            ids.set(pairOf(pair), found!.id);
            // Colours are those of the list.
            expect(found!.white!.id).toBe(white);
          }
        };
        learn();
        for (const pairing of hall.tournament.pairings) hall.assign(pairing.id, `dgt-${pairing.board}`);
        for (const pairing of hall.tournament.pairings.slice(0, 4)) hall.play(pairing.eboard!);

        for (const step of steps) {
          const games = hall.games();
          const before = hall.tournament;
          let told: List | undefined;
          switch (step.type) {
            case 'reorder': {
              // Tables are numbered anew by no list that has only an order.
              numbered = false;
              list = [...list].sort((a, b) => ((a[0] * step.seed) % 13) - ((b[0] * step.seed) % 13));
              break;
            }
            case 'colours':
              list = list.map((pair, i) => (i === step.at ? ([pair[1], pair[0]] as const) : pair));
              break;
            case 'slip': {
              const one = entrants[step.who]!;
              one.name = one.name.replace(/a/, 'á');
              break;
            }
            case 'initial': {
              const one = entrants[step.who]!;
              one.name = one.name.replace(/, (.).*$/, ', $1');
              break;
            }
            case 'marries':
              // Only a number tells that this is the same person.
              if (hasIds) entrants[step.who]!.name = `Newname${step.who}, Ada`;
              break;
            case 'repair': {
              const [a, b] = [list[step.one]!, list[step.other]!];
              if (a === b) break;
              list = list.map((pair) =>
                pair === a ? ([a[0], b[1]] as const) : pair === b ? ([b[0], a[1]] as const) : pair,
              );
              break;
            }
            case 'swap': {
              const pairing = before.pairings.find(
                ({ board, withdrawn, games: own }) => board === step.at + 1 && !withdrawn && own.length === 1,
              );
              if (pairing === undefined) break;
              const { id, token } = pairing;
              hall.swap(pairing, `dgt-${100 + swaps++}`);
              hall.play(`dgt-${99 + swaps}`);
              expect(hall.games().slice(0, -1)).toEqual(games);
              expect(hall.games().at(-1)).toBe(`${games.length + 1} ${id} ${token} 2`);
              const played = hall.played(id);
              expect(played).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
              continue;
            }
            case 'part':
              told = list.slice(0, step.most);
              break;
            case 'rating':
              entrants[step.who]!.rating++;
              break;
            case 'play': {
              const pairing = before.pairings.filter(({ eboard }) => eboard !== undefined)[step.at];
              if (pairing === undefined) break;
              hall.play(pairing.eboard!);
              const [game] = hall.games().slice(-1);
              expect(game).toBe(`${games.length + 1} ${pairing.id} ${pairing.token} 2`);
              continue;
            }
          }
          hall.import(text(told));
          const after = hall.tournament;
          // Every game that was recorded is there once, with its moves, its pairing and its GameId.
          expect(hall.games()).toEqual(games);
          for (const { id, token } of before.pairings)
            expect(after.pairings.find((one) => one.id === id)?.token).toBe(token);
          // Nobody was doubled, and nobody plays twice.
          expect(after.players).toHaveLength(entrants.length);
          const playing = after.pairings
            .filter(({ withdrawn }) => !withdrawn)
            .flatMap(({ white, black }) => [white!.id, black!.id]);
          expect(new Set(playing).size).toBe(playing.length);
          if (told === undefined) expect(playing).toHaveLength(entrants.length);
          learn();
          // Boards stay at tables: each table of the round that had one has one.
          expect(after.pairings.filter(({ eboard }) => eboard !== undefined)).toHaveLength(6);
          expect(hall.import(text(told)), 'the same list once more changes nothing').toBe(0);
        }
        hall.close();
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

/** The player of a tournament who is an entrant: by number or by all words of the name but accents. */
function foldedId(tournament: Tournament, { name, fideId }: Entrant): number {
  const surname = (text: string): string => text.split(',')[0]!.normalize('NFKD').replace(/\p{M}/gu, '');
  const found = tournament.players.filter((player) =>
    fideId === undefined ? surname(player.name) === surname(name) : player.fideId === fideId,
  );
  expect(found).toHaveLength(1);
  return found[0]!.id;
}
