/** Expectations of the case files and the rules by which a derived game passes (shared cases, section 2). */
import type { GameRecord } from '../../core/game-record.ts';

export interface Expectation {
  /** Any one of these lists of moves is right. */
  readonly moves: readonly (readonly string[])[];
  readonly wanted: readonly string[];
  readonly allowed: readonly string[];
  readonly mustAgree: boolean;
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '-');

export function parseExpectation(text: string): Expectation {
  const moves: string[][] = [];
  let wanted: string[] = [];
  let allowed: string[] = [];
  let mustAgree = true;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const match = /^(\w+):\s*(.*)$/.exec(line);
    if (match === null) continue;
    if (match[1] === 'out') moves.push(words(match[2]!));
    if (match[1] === 'flags') wanted = words(match[2]!);
    if (match[1] === 'may') allowed = words(match[2]!);
    if (match[1] === 'end') mustAgree = match[2] !== 'nomatch';
  }
  return { moves, wanted, allowed, mustAgree };
}

const bare = (san: string): string => san.replace(/[+#]$/, '');
const word = (code: string): string => code.replace(/\(.*$/, '');

/** What is wrong with the derived games; empty when the case passes. */
export function faultsOf(expected: Expectation, games: readonly GameRecord[]): string[] {
  const faults: string[] = [];
  const game = [...games].sort((a, b) => b.plies.length - a.plies.length)[0];
  if (game === undefined) return ['no game'];
  const played = game.plies.map((ply) => bare(ply.san)).join(' ');
  if (!expected.moves.some((moves) => moves.map(bare).join(' ') === played)) {
    faults.push(`moves "${played}" instead of "${expected.moves.map((m) => m.join(' ')).join('" or "')}"`);
  }
  const flags = games.flatMap((g) => g.flags);
  for (const code of expected.wanted) {
    const result = /^RESULT\((.*)\)$/.exec(code)?.[1];
    if (result !== undefined && games.some((g) => g.result === result)) continue;
    if (!flags.some((flag) => flag.code === code || (word(code) === code && word(flag.code) === code))) {
      faults.push(`no ${code}`);
    }
  }
  const permitted = new Set([...expected.wanted, ...expected.allowed].map(word));
  for (const flag of flags) {
    if ((flag.severity === 'warning' || flag.severity === 'alarm') && !permitted.has(word(flag.code))) {
      faults.push(`${flag.code} (${flag.severity}) at ${flag.atMs} ${flag.detail ?? ''}`);
    }
  }
  if (expected.mustAgree && !game.inSync) faults.push('board and record differ at the end');
  return faults;
}
