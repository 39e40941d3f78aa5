/**
 * What a list of pairings would change in a tournament: a plan, made before anything is done. Players and pairings that are there keep
 * their identity whatever has become of names, colours, tables and order; nothing that is known is lost because a list does not say it.
 */
import type { Imported, ImportedPairing, ImportWarning } from '../import/imported.ts';
import type { PairingFacts, PairingRef, PlayerRef, TournamentChange } from './change.ts';
import { areNearNames, areSimilarNames, foldedWords, foldName } from './player-name.ts';
import {
  EVENT_FIELDS,
  type EventFacts,
  type Pairing,
  PLAYER_FIELDS,
  type Player,
  type PlayerFacts,
  type Tournament,
} from './tournament.ts';

export interface PlanOptions {
  /** The list is all there is of its rounds: pairings that are not in it are withdrawn. */
  readonly whole?: boolean;
}

export interface ImportPlan {
  readonly changes: readonly TournamentChange[];
  /** What the list leaves open: concluded tables, pairings that it does not name. */
  readonly warnings: readonly ImportWarning[];
}

/** Plans an import; pure. */
export function planImport(
  tournament: Tournament,
  imported: Imported,
  options: PlanOptions = {},
): ImportPlan {
  const changes: TournamentChange[] = [];
  const warnings: ImportWarning[] = [];
  const players = matchPlayers(tournament.players, imported.players);
  const pairings = matchPairings(tournament, imported, players);

  planEvent(tournament.event, imported.event, changes);
  const refs = planPlayers(imported, players, pairings, changes, warnings);
  planPairings(tournament, imported, options, players, pairings, refs, changes, warnings);
  const sections = new Set(imported.pairings.map(({ section }) => section));
  for (const { round, date } of imported.dates) {
    for (const section of sections) {
      const known = tournament.rounds.find((one) => one.section === section && one.number === round);
      if (known?.date === undefined) changes.push({ type: 'round', section, number: round, date });
    }
  }
  return { changes, warnings };
}

function planEvent(known: EventFacts, said: EventFacts, changes: TournamentChange[]): void {
  const facts = Object.fromEntries(
    EVENT_FIELDS.filter((name) => known[name] === undefined && said[name] !== undefined).map((name) => [
      name,
      said[name],
    ]),
  ) as EventFacts;
  if (Object.keys(facts).length > 0) changes.push({ type: 'event', facts });
}

/** For each player of a list the one who is there already. */
function matchPlayers(known: readonly Player[], listed: readonly PlayerFacts[]): (Player | undefined)[] {
  const found: (Player | undefined)[] = listed.map(() => undefined);
  const taken = new Set<number>();
  const take = (at: number, player: Player | undefined): void => {
    if (player === undefined || found[at] !== undefined || taken.has(player.id)) return;
    found[at] = player;
    taken.add(player.id);
  };
  const mayBe = (a: PlayerFacts, b: PlayerFacts): boolean =>
    a.section === b.section && (a.fideId === undefined || b.fideId === undefined || a.fideId === b.fideId);
  /** The one candidate that fits, when it is one only on both sides. */
  const unique = (fits: (a: PlayerFacts, b: PlayerFacts) => boolean): void => {
    listed.forEach((facts, at) => {
      if (found[at] !== undefined) return;
      const candidates = known.filter(
        (player) => !taken.has(player.id) && mayBe(facts, player) && fits(facts, player),
      );
      const [only] = candidates;
      if (only === undefined || candidates.length > 1) return;
      const rivals = listed.filter(
        (other, i) => found[i] === undefined && mayBe(other, only) && fits(other, only),
      );
      if (rivals.length === 1) take(at, only);
    });
  };
  const isSameId = (a: PlayerFacts, b: PlayerFacts): boolean =>
    a.fideId !== undefined && a.fideId === b.fideId;
  for (const [at, facts] of listed.entries())
    take(
      at,
      known.find((player) => player.section === facts.section && isSameId(facts, player)),
    );
  // A list of numbers only means who has the number.
  listed.forEach((facts, at) => {
    if (facts.name === '')
      take(
        at,
        known.find((player) => player.section === facts.section && player.number === facts.number),
      );
  });
  const isNamed = (facts: PlayerFacts): boolean => facts.name !== '';
  const isSameNumber = (a: PlayerFacts, b: PlayerFacts): boolean =>
    a.number !== undefined && a.number === b.number;
  unique((a, b) => isNamed(a) && isSameNumber(a, b) && foldName(a.name) === foldName(b.name));
  unique((a, b) => isNamed(a) && foldName(a.name) === foldName(b.name));
  unique(
    (a, b) =>
      isNamed(a) && isSameNumber(a, b) && (areSimilarNames(a.name, b.name) || areNearNames(a.name, b.name)),
  );
  unique(
    (a, b) =>
      isNamed(a) &&
      areSimilarNames(a.name, b.name) &&
      !(a.number !== undefined && b.number !== undefined && a.number !== b.number),
  );
  return found;
}

const pairKey = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** How a pairing of a list is one that is there. */
interface MatchedPairing {
  readonly pairing: Pairing;
  /** Place in the list of a player who stands for one who is in the list no more. */
  readonly replaced?: { readonly listed: number; readonly player: Player };
}

/** For each pairing of a list the one that is there already. */
function matchPairings(
  tournament: Tournament,
  imported: Imported,
  players: (Player | undefined)[],
): (MatchedPairing | undefined)[] {
  const found: (MatchedPairing | undefined)[] = imported.pairings.map(() => undefined);
  const taken = new Set<number>();
  const idAt = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : players[at]?.id;
  const own = new Map<string, Pairing[]>();
  for (const pairing of tournament.pairings) {
    const key = `${pairing.section}\n${pairing.round}`;
    const list = own.get(key);
    if (list === undefined) own.set(key, [pairing]);
    else list.push(pairing);
  }
  const there = ({ section, round }: ImportedPairing): Pairing[] => own.get(`${section}\n${round}`) ?? [];
  const key = ({ white, black }: Pairing): string => pairKey(white?.id ?? 0, black?.id ?? 0);

  imported.pairings.forEach((listed, at) => {
    const [white, black] = [idAt(listed.white), idAt(listed.black)];
    if (
      (listed.white !== undefined && white === undefined) ||
      (listed.black !== undefined && black === undefined)
    )
      return;
    const same = there(listed).filter(
      (pairing) => !taken.has(pairing.id) && key(pairing) === pairKey(white ?? 0, black ?? 0),
    );
    // One that is withdrawn comes back only when there is no other; several games of a pair come in their order.
    const pairing = same.find(({ withdrawn }) => !withdrawn) ?? same[0];
    if (pairing === undefined) return;
    taken.add(pairing.id);
    found[at] = { pairing };
  });

  const isListed = new Set(players.flatMap((player) => (player === undefined ? [] : [player.id])));
  imported.pairings.forEach((listed, at) => {
    if (found[at] !== undefined || listed.white === undefined || listed.black === undefined) return;
    for (const [stays, comes] of [
      [listed.white, listed.black],
      [listed.black, listed.white],
    ] as const) {
      const opponent = players[stays];
      if (opponent === undefined || players[comes] !== undefined) continue;
      const pairing = there(listed).find(
        (one) =>
          !taken.has(one.id) &&
          !one.withdrawn &&
          (one.white?.id === opponent.id || one.black?.id === opponent.id),
      );
      const gone = pairing?.white?.id === opponent.id ? pairing.black : pairing?.white;
      if (pairing === undefined || gone === undefined || isListed.has(gone.id)) continue;
      taken.add(pairing.id);
      found[at] = { pairing, replaced: { listed: comes, player: gone } };
      return;
    }
  });
  return found;
}

/** Plans what becomes of the players and gives for each of the list who it is. */
function planPlayers(
  { players: listed, pairings }: Imported,
  players: (Player | undefined)[],
  matched: readonly (MatchedPairing | undefined)[],
  changes: TournamentChange[],
  warnings: ImportWarning[],
): (PlayerRef | undefined)[] {
  // Who stands for somebody with nearly the same name, or with the same number, is that player.
  for (const match of matched) {
    const { listed: at, player } = match?.replaced ?? {};
    if (at === undefined || player === undefined || players[at] !== undefined) continue;
    const facts = listed[at]!;
    const differs =
      facts.fideId !== undefined && player.fideId !== undefined && facts.fideId !== player.fideId;
    const isSame =
      areNearNames(facts.name, player.name) ||
      areSimilarNames(facts.name, player.name) ||
      (facts.number !== undefined && facts.number === player.number) ||
      sharesSurname(facts.name, player.name);
    if (!differs && isSame && !players.some((one) => one?.id === player.id)) players[at] = player;
  }
  return listed.map((facts, at): PlayerRef | undefined => {
    const player = players[at];
    if (player === undefined) {
      if (facts.name === '') {
        const line = pairings.find(({ white, black }) => white === at || black === at)?.line ?? 1;
        warnings.push({ code: 'IMPORT_LINE', line, message: `nobody has the starting rank ${facts.number}` });
        return undefined;
      }
      const key = `player ${at}`;
      changes.push({ type: 'player-added', key, facts });
      return { key };
    }
    const { id, ...before } = player;
    const after = mergeFacts(before, facts);
    if (PLAYER_FIELDS.some((name) => after[name] !== before[name]))
      changes.push({ type: 'player-changed', id, facts: after, before });
    return { id };
  });
}

const sharesSurname = (a: string, b: string): boolean => {
  const surname = (name: string): string => foldName(name.split(',')[0]!);
  return a.includes(',') && b.includes(',') && surname(a) === surname(b);
};

/** What a list says outweighs what is known; what it does not say stays. */
function mergeFacts(before: PlayerFacts, said: PlayerFacts): PlayerFacts {
  const facts: Record<string, unknown> = { ...before };
  for (const name of PLAYER_FIELDS)
    if (said[name] !== undefined && said[name] !== '') facts[name] = said[name];
  // A name that is only shortened, or was damaged on its way, is no news.
  const letters = (text: string): number => foldedWords(text).join('').length;
  const isShorter = areSimilarNames(before.name, said.name) && letters(said.name) < letters(before.name);
  if (isShorter || said.name.includes('\ufffd')) facts.name = before.name;
  return facts as unknown as PlayerFacts;
}

const factsOf = ({ section, round, leg, board, place, white, black }: Pairing): PairingFacts => ({
  section,
  round,
  leg,
  ...(board !== undefined && { board }),
  place,
  ...(white !== undefined && { white: { id: white.id } }),
  ...(black !== undefined && { black: { id: black.id } }),
});

const sameRef = (a: PlayerRef | undefined, b: PlayerRef | undefined): boolean =>
  a === undefined || b === undefined ? a === b : 'id' in a && 'id' in b && a.id === b.id;

function planPairings(
  tournament: Tournament,
  imported: Imported,
  options: PlanOptions,
  players: readonly (Player | undefined)[],
  matched: readonly (MatchedPairing | undefined)[],
  refs: readonly (PlayerRef | undefined)[],
  changes: TournamentChange[],
  warnings: ImportWarning[],
): void {
  const roundOf = ({ section, round }: { readonly section: string; readonly round: number }): string =>
    `${section}\n${round}`;
  const kept = new Set(matched.flatMap((match) => (match === undefined ? [] : [match.pairing.id])));
  const covered = new Set(imported.pairings.map(roundOf));
  /** Who plays in a round of the list, by player. */
  const busy = new Set<string>();
  for (const pairing of imported.pairings) {
    for (const at of [pairing.white, pairing.black]) {
      const player = at === undefined ? undefined : players[at];
      if (player !== undefined) busy.add(`${roundOf(pairing)}\n${player.id}`);
    }
  }

  // First what goes: its tables and boards are free then.
  const gone: Pairing[] = [];
  let unnamed = 0;
  for (const pairing of tournament.pairings) {
    if (kept.has(pairing.id) || pairing.withdrawn || !covered.has(roundOf(pairing))) continue;
    const isReplaced = [pairing.white, pairing.black].some(
      (player) => player !== undefined && busy.has(`${roundOf(pairing)}\n${player.id}`),
    );
    if (isReplaced || options.whole === true) {
      gone.push(pairing);
      changes.push({ type: 'pairing-withdrawn', id: pairing.id });
    } else unnamed++;
  }
  if (unnamed > 0)
    warnings.push({
      code: 'IMPORT_LINE',
      line: 1,
      message: `${unnamed} pairings of these rounds are not in the list: they stay (--whole withdraws them)`,
    });

  /** Tables that are taken, by round. */
  const tables = new Map<string, Set<number>>();
  const taken = (key: string): Set<number> => {
    const set = tables.get(key) ?? new Set<number>();
    tables.set(key, set);
    return set;
  };
  const isGone = new Set(gone.map(({ id }) => id));
  for (const pairing of tournament.pairings)
    if (!pairing.withdrawn && !isGone.has(pairing.id) && !kept.has(pairing.id) && pairing.board !== undefined)
      taken(roundOf(pairing)).add(pairing.board);
  /** The table by the list, else the one the pairing has; a concluded number outweighs neither. */
  const tableOf = (listed: ImportedPairing, before: Pairing | undefined): number | undefined =>
    (listed.isDerived === true ? undefined : listed.board) ?? before?.board;
  imported.pairings.forEach((listed, at) => {
    const board = tableOf(listed, matched[at]?.pairing);
    if (board !== undefined) taken(roundOf(listed)).add(board);
  });
  /** A table that is free for a pairing which has none: where one of its players sat, else the concluded one, else the first. */
  const freeTable = (listed: ImportedPairing): number => {
    const own = [listed.white, listed.black].map((at) => (at === undefined ? undefined : players[at]?.id));
    const left = gone.filter(
      ({ section, round, white, black }) =>
        section === listed.section &&
        round === listed.round &&
        (own.includes(white?.id ?? -1) || own.includes(black?.id ?? -1)),
    );
    const set = taken(roundOf(listed));
    for (const board of [...left.map(({ board }) => board), listed.board])
      if (board !== undefined && !set.has(board)) return board;
    let board = 1;
    while (set.has(board)) board++;
    return board;
  };

  const places = new Map<string, number>();
  const legs = new Map<string, number>();
  let derived = 0;
  imported.pairings.forEach((listed, at) => {
    const [white, black] = [listed.white, listed.black].map((place) =>
      place === undefined ? undefined : refs[place],
    );
    // Somebody nobody knows: told of with the players.
    if (
      (listed.white !== undefined && white === undefined) ||
      (listed.black !== undefined && black === undefined)
    )
      return;
    const { section, round } = listed;
    const key = roundOf(listed);
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    const isGame = white !== undefined && black !== undefined;
    const pair = `${key}\n${[white, black]
      .map((ref) => JSON.stringify(ref ?? 0))
      .sort()
      .join(' ')}`;
    const leg = (legs.get(pair) ?? 0) + 1;
    legs.set(pair, leg);
    const before = matched[at]?.pairing;

    let board = tableOf(listed, before);
    if (board === undefined && isGame) {
      board = freeTable(listed);
      taken(key).add(board);
      derived++;
    }
    const facts: PairingFacts = {
      section,
      round,
      leg: before?.leg ?? leg,
      ...(board !== undefined && { board }),
      place,
      ...(white !== undefined && { white }),
      ...(black !== undefined && { black }),
    };
    let ref: PairingRef;
    if (before === undefined) {
      ref = { key: `pairing ${at}` };
      changes.push({ type: 'pairing-added', key: ref.key, facts });
    } else {
      ref = { id: before.id };
      const old = factsOf(before);
      const isSame =
        old.board === facts.board &&
        old.place === place &&
        sameRef(old.white, facts.white) &&
        sameRef(old.black, facts.black);
      if (before.withdrawn) changes.push({ type: 'pairing-restored', id: before.id });
      if (!isSame) changes.push({ type: 'pairing-changed', id: before.id, facts, before: old });
    }
    // The electronic board stays at its table; a game that was begun there stays with who began it.
    const left = gone.find((one) => one.section === section && one.round === round && one.board === board);
    if (left?.eboard !== undefined && board !== undefined && isGame && before?.eboard === undefined)
      changes.push({ type: 'assigned', pairing: ref, eboard: left.eboard, takesGames: false });
    const result = listed.result;
    const told = before?.results.find(({ source }) => source === 'file');
    if (
      isGame &&
      result !== undefined &&
      result.score !== '*' &&
      (told?.score !== result.score || told.forfeit !== result.forfeit)
    )
      changes.push({ type: 'result', pairing: ref, source: 'file', ...result });
  });
  for (const pairing of gone)
    if (
      pairing.eboard !== undefined &&
      !changes.some((change) => change.type === 'assigned' && change.eboard === pairing.eboard)
    )
      changes.push({ type: 'unassigned', eboard: pairing.eboard });
  if (derived > 0)
    warnings.push({
      code: 'IMPORT_LINE',
      line: 1,
      message: `the list numbers no tables for ${derived} pairings: they were numbered in its order; look whether that is right`,
    });
}
