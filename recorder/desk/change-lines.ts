/** What changes of a tournament do, a line each, for a look before they are made. */
import type { PairingFacts, PairingRef, PlayerRef, TournamentChange } from '../tournament/change.ts';
import { EVENT_FIELDS, PLAYER_FIELDS, type PlayerFacts, type Tournament } from '../tournament/tournament.ts';
import type { ChangeLine } from './model/setup-api.ts';

type Placed = Pick<PairingFacts, 'section' | 'round' | 'board'>;

/** A table in figures: `3.12`, with the section before it where there are several. */
const tableOf = ({ section, round, board }: Placed): string =>
  `${section === '' ? '' : `${section} `}${round}.${board ?? '–'}`;

/** Tells of changes by what they are about, was and is. */
export function makeChangeLines(tournament: Tournament, changes: readonly TournamentChange[]): ChangeLine[] {
  const added = new Map<string, PlayerFacts>();
  const paired = new Map<string, PairingFacts>();
  for (const change of changes) {
    if (change.type === 'player-added') added.set(change.key, change.facts);
    if (change.type === 'pairing-added') paired.set(change.key, change.facts);
  }
  const playerOf = (ref: PlayerRef | undefined): string =>
    (ref === undefined
      ? undefined
      : 'key' in ref
        ? added.get(ref.key)?.name
        : tournament.players.find(({ id }) => id === ref.id)?.name) ?? '–';
  const factsOf = (facts: PairingFacts): string =>
    `${tableOf(facts)}: ${playerOf(facts.white)} – ${playerOf(facts.black)}`;
  const pairingOf = (ref: PairingRef): string => {
    if ('key' in ref) {
      const facts = paired.get(ref.key);
      return facts === undefined ? '–' : factsOf(facts);
    }
    const pairing = tournament.pairings.find(({ id }) => id === ref.id);
    return pairing === undefined
      ? '–'
      : `${tableOf(pairing)}: ${pairing.white?.name ?? '–'} – ${pairing.black?.name ?? '–'}`;
  };
  const boardAt = (ref: PairingRef): string | undefined =>
    'id' in ref ? tournament.pairings.find(({ id }) => id === ref.id)?.eboard : undefined;
  const lineOf = (change: TournamentChange): ChangeLine => {
    const { type } = change;
    switch (change.type) {
      case 'event':
        return {
          type,
          about: '',
          is: EVENT_FIELDS.flatMap((name) => change.facts[name] ?? []).join(', '),
        };
      case 'round':
        return { type, about: String(change.number), is: change.date };
      case 'player-added':
        return { type, about: change.facts.name };
      case 'player-changed': {
        const others = PLAYER_FIELDS.filter((name) => change.facts[name] !== change.before[name]);
        const tell = (facts: PlayerFacts): string => others.map((name) => facts[name] ?? '–').join(', ');
        return { type, about: change.before.name, was: tell(change.before), is: tell(change.facts) };
      }
      case 'pairing-added':
        return { type, about: factsOf(change.facts) };
      case 'pairing-changed':
        return {
          type,
          about: tableOf(change.before),
          was: factsOf(change.before),
          is: factsOf(change.facts),
        };
      case 'pairing-withdrawn':
      case 'pairing-restored':
        return { type, about: pairingOf({ id: change.id }) };
      case 'result':
        return { type, about: pairingOf(change.pairing), is: change.score };
      case 'assigned': {
        const was = boardAt(change.pairing);
        return {
          type,
          about: pairingOf(change.pairing),
          ...(was !== undefined && { was }),
          is: change.eboard,
          ...(change.goesOn !== undefined && { setUp: change.goesOn.start }),
        };
      }
      case 'unassigned':
        return { type, about: change.eboard };
      case 'game-chosen':
        return { type, about: pairingOf({ id: change.pairing }), is: String(change.game) };
    }
  };
  return changes.map(lineOf);
}
