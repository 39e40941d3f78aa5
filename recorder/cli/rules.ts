import { BoardError } from '../../core/board-error.ts';
import { mayBeFull, RATES_OF_PLAY } from '../../core/laws/rate-of-play.ts';
import { openRulesDesk, type RulesScope, type RulesSet, sittingsOf } from '../enter-rules.ts';
import { type EventRules, rateOfRules } from '../event-rules.ts';
import type { Phrases } from '../language/phrases.ts';
import { openStoreReader, type StoredSitting, type StoreReader } from '../store/store.ts';
import { plainText } from '../view/display-text.ts';
import { parseGameId, parseOptions, parseRules, phrasesFor, RULES } from './arguments.ts';
import type { Io } from './io.ts';
import { rewriteGames } from './pgn-folder.ts';
import { ArgumentError, statusOf } from './print-fault.ts';

/**
 * Sets the time control, the supervision or the rate of play of games that are recorded already, or says what counts for them. The
 * games are derived again at once, or by the recorder that is running on the same database.
 */
export async function runRules(game: string | undefined, options: unknown, io: Io): Promise<number> {
  const { db, pgn, board, all, reset, by, json, lang, arbiters, ...said } = parseOptions(RULES, options);
  const phrases = phrasesFor(lang, io);
  const scope = scopeOf(game, board, all);
  const rules = parseRules(said) ?? (reset ? {} : undefined);
  const say = (line: object, text: string): void =>
    void io.out.write(json ? `${JSON.stringify(line)}\n` : `${plainText(text)}\n`);
  if (rules === undefined) {
    const store = openStoreReader(db);
    try {
      for (const sitting of sittingsOf(store, scope, Date.now()))
        say(
          { type: 'rules', board: sitting.board, rules: sitting.options.rules ?? {} },
          `${namesOf(store, sitting, phrases)}: ${makeText(sitting.options.rules, phrases)}${signatureOf(store, sitting)}`,
        );
      sayArbiters(
        sittingsOf(store, scope, Date.now()).map(({ options: { rules: counting } }) => counting),
        arbiters,
        phrases,
        say,
      );
      return 0;
    } finally {
      store.close();
    }
  }
  const signed = (by ?? io.user ?? '').trim();
  if (signed === '') throw new BoardError('SIGNATURE_MISSING');
  const set: { readonly done: RulesSet; readonly names: string }[] = [];
  const desk = openRulesDesk(db, () => Date.now());
  try {
    for (const sitting of sittingsOf(desk.store, scope, Date.now())) {
      const names = namesOf(desk.store, sitting, phrases);
      set.push({ done: desk.set(sitting, signed, rules, reset), names });
    }
  } finally {
    desk.close();
  }
  let status = 0;
  for (const { done, names } of set) {
    const { sitting, isHonoured, differences } = done;
    const changed = new Set(differences.map(({ game: number }) => number));
    const { written, fault } = await rewriteGames(db, pgn, sitting.id, changed);
    const line = {
      type: 'rules',
      board: sitting.board,
      by: signed,
      rules: done.rules,
      honoured: isHonoured,
      differences,
      written,
    };
    say(line, `${names}: ${makeText(done.rules, phrases)} (${signed})`);
    if (json) continue;
    for (const { game: number, about, stored, derived } of differences)
      if (!about.startsWith('flag'))
        io.out.write(`  ${plainText(`game ${number} of the board, ${about}: ${stored} -> ${derived}`)}\n`);
    for (const path of written) io.out.write(`  ${plainText(phrases.text('desk-written', { path }))}\n`);
    if (!isHonoured) io.out.write(`  ${phrases.text('desk-taken-up')}\n`);
    if (fault !== undefined) status = statusOf(io, fault);
  }
  sayArbiters(
    set.map(({ done }) => done.rules),
    arbiters,
    phrases,
    say,
  );
  if (set.length === 0) io.out.write(json ? '' : `${phrases.text('games-none')}\n`);
  return status;
}

/**
 * Whether so many arbiters are enough for the competition rules (A.3, B.3): as many games as boards, each recorded; boards of which the
 * rate of play is not known count as standard.
 */
function sayArbiters(
  boards: readonly (EventRules | undefined)[],
  arbiters: number | undefined,
  phrases: Phrases,
  say: (line: object, text: string) => void,
): void {
  if (arbiters === undefined) return;
  for (const rate of RATES_OF_PLAY) {
    const games = boards.filter((rules = {}) => (rateOfRules(rules) ?? 'standard') === rate).length;
    if (games === 0) continue;
    const isEnough = mayBeFull(rate, games / arbiters, true);
    const told = { rate: phrases.text(`rules-${rate}`), games, arbiters };
    say(
      { type: 'supervision', rate, games, arbiters, full: isEnough },
      phrases.text(isEnough ? 'rules-may-be-full' : 'rules-not-full', told),
    );
  }
}

function scopeOf(game: string | undefined, board: string | undefined, all: boolean): RulesScope {
  const [only, ...more] = [
    ...(game === undefined ? [] : [{ type: 'game', game: parseGameId(game) } as const]),
    ...(board === undefined ? [] : [{ type: 'board', board } as const]),
    ...(all ? [{ type: 'all' } as const] : []),
  ];
  if (only === undefined || more.length > 0) throw new ArgumentError('one of GAME, --board and --all');
  return only;
}

/** The games that share these rules. */
function namesOf(store: StoreReader, { id, board }: StoredSitting, phrases: Phrases): string {
  const ids = store.games({ sittingId: id }).map((game) => game.id);
  return phrases.text('rules-of', { board, games: ids.join(', ') || '-' });
}

function makeText(
  { white, black, regime, rate, drawFrom, defaultMinutes }: EventRules = {},
  phrases: Phrases,
): string {
  const control = white === black ? white : `${white ?? '?'},${black ?? '?'}`;
  const parts = [
    ...(control === undefined ? [] : [phrases.text('rules-control', { control })]),
    ...(regime === undefined ? [] : [phrases.text(`rules-${regime}`)]),
    ...(rate === undefined ? [] : [phrases.text(`rules-${rate}`)]),
    ...(drawFrom === undefined ? [] : [phrases.text('rules-draw-from', { moves: drawFrom })]),
    ...(defaultMinutes === undefined ? [] : [phrases.text('rules-default', { minutes: defaultMinutes })]),
  ];
  return parts.length === 0 ? phrases.text('rules-none') : parts.join(', ');
}

function signatureOf(store: StoreReader, { id }: StoredSitting): string {
  const by = store.rules(id).at(-1)?.by;
  return by === undefined ? '' : ` (${by})`;
}
