import type { PairingFacts, PairingRef, PlayerRef, TournamentChange } from './change.ts';
import {
  EVENT_FIELDS,
  type Pairing,
  PLAYER_FIELDS,
  type PlayerFacts,
  type Tournament,
} from './tournament.ts';

/** What a list of changes does, a line each, for a preview. */
export function describeChanges(tournament: Tournament, changes: readonly TournamentChange[]): string[] {
  const added = new Map<string, PlayerFacts>();
  const paired = new Map<string, PairingFacts>();
  for (const change of changes) {
    if (change.type === 'player-added') added.set(change.key, change.facts);
    if (change.type === 'pairing-added') paired.set(change.key, change.facts);
  }
  const nameOf = (ref: PlayerRef | undefined): string => {
    if (ref === undefined) return 'nobody';
    if ('key' in ref) return added.get(ref.key)?.name ?? '?';
    return tournament.players.find(({ id }) => id === ref.id)?.name ?? '?';
  };
  const tell = (facts: PairingFacts): string =>
    `${tableName(facts)}: ${nameOf(facts.white)} - ${nameOf(facts.black)}`;
  const pairingName = (ref: PairingRef): string => {
    if ('key' in ref) {
      const facts = paired.get(ref.key);
      return facts === undefined ? '?' : tell(facts);
    }
    const pairing = tournament.pairings.find(({ id }) => id === ref.id);
    return pairing === undefined ? '?' : makePairingName(pairing);
  };
  const describe = (change: TournamentChange): string => {
    switch (change.type) {
      case 'event':
        return `event: ${EVENT_FIELDS.flatMap((name) => (change.facts[name] === undefined ? [] : [`${name} "${change.facts[name]}"`])).join(', ')}`;
      case 'round':
        return `round ${change.number}: ${change.date}`;
      case 'player-added':
        return `+ player ${change.facts.name}`;
      case 'player-changed':
        return `~ player ${change.before.name}: ${PLAYER_FIELDS.flatMap((name) =>
          change.facts[name] === change.before[name]
            ? []
            : [`${name} ${change.before[name] ?? '-'} -> ${change.facts[name] ?? '-'}`],
        ).join(', ')}`;
      case 'pairing-added':
        return `+ ${tell(change.facts)}`;
      case 'pairing-changed':
        return `~ ${tell(change.before)} -> ${tell(change.facts)}`;
      case 'pairing-withdrawn':
        return `- ${pairingName({ id: change.id })}`;
      case 'pairing-restored':
        return `+ ${pairingName({ id: change.id })} (again)`;
      case 'result':
        return `= ${pairingName(change.pairing)}: ${change.score}${change.forfeit ? ' by forfeit' : ''}`;
      case 'assigned':
        return `@ ${pairingName(change.pairing)}: ${change.eboard}${change.goesOn === undefined ? '' : ', the game goes on there'}`;
      case 'unassigned':
        return `@ ${change.eboard}: no table`;
      case 'game-chosen':
        return `= ${pairingName({ id: change.pairing })}: game ${change.game}`;
    }
  };
  return changes.map(describe);
}

const tableName = ({ section, round, board }: Pick<PairingFacts, 'section' | 'round' | 'board'>): string =>
  `${section === '' ? '' : `${section} `}${round}.${board ?? '-'}`;

/** A pairing in one line: `3.12: Anna - Ben`. */
export const makePairingName = (pairing: Pairing): string =>
  `${tableName(pairing)}: ${pairing.white?.name ?? 'nobody'} - ${pairing.black?.name ?? 'nobody'}`;
