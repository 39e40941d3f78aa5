/**
 * `npm run bench:laws`: what the Laws say of real games played by simulated people. Clean hands must be accused of nothing; of
 * things done wrong each must be found at its ply.
 *
 *   --games N      clean games of each rate of play (default 1000)
 *   --wrongs N     irregular ones of each kind and rate (default 1000)
 *   --rate RATE    standard, rapid or blitz only
 *   --wrong KIND   this kind of irregularity only; "none" for the clean games
 *   --show N       print the first N that failed in full
 */
import { parseArgs } from 'node:util';
import { RATES_OF_PLAY, type RateOfPlay } from '../../core/laws/rate-of-play.ts';
import { EMPTY } from '../../core/placement.ts';
import { makeSquare } from '../../core/square.ts';
import { WRONG_KINDS } from '../sim/hand/irregular-hands.ts';
import { readFieldGames } from './field-games.ts';
import { findFalseAccusations, type IrregularVerdict, judgeIrregular } from './judge-games.ts';

const { values } = parseArgs({
  options: {
    games: { type: 'string', default: '1000' },
    rate: { type: 'string' },
    wrong: { type: 'string' },
    wrongs: { type: 'string', default: '1000' },
    show: { type: 'string', default: '0' },
  },
});
const wanted = Number(values.games);
const wantedWrong = Number(values.wrongs);
let toShow = Number(values.show);
const games = readFieldGames(4000);
const ROUNDS = 4;
const rates = RATES_OF_PLAY.filter((rate) => values.rate === undefined || values.rate === rate);

for (const rate of rates) {
  if (values.wrong === undefined || values.wrong === 'none') playClean(rate);
  for (const wrong of WRONG_KINDS)
    if (values.wrong === undefined || values.wrong === wrong) playWrong(rate, wrong);
}

function playClean(rate: RateOfPlay): void {
  const words: Record<string, number> = {};
  let plies = 0;
  for (const [i, game] of games.slice(0, wanted).entries()) {
    plies += game.moves.length;
    for (const { code, ply, detail } of findFalseAccusations(game, rate, i + 1)) {
      words[code] = (words[code] ?? 0) + 1;
      if (toShow-- > 0)
        console.log(`  game ${i}: ${code} at ply ${ply} ${detail ?? ''} ${game.moves[ply - 1]}`);
    }
  }
  const found = Object.entries(words).map(([code, count]) => `${code} ${count}`);
  console.log(
    `${rate} clean: ${Math.min(wanted, games.length)} games, ${plies} plies, false: ${found.join(', ') || 'none'}`,
  );
}

function playWrong(rate: RateOfPlay, wrong: (typeof WRONG_KINDS)[number]): void {
  let tried = 0;
  let found = 0;
  let others = 0;
  // What is rare in games is done several times in the same ones, by other hands.
  for (let i = 0; i < ROUNDS * games.length && tried < wantedWrong; i++) {
    const verdict = judgeIrregular(games[i % games.length]!, wrong, rate, i + 1);
    if (verdict === undefined) continue;
    tried++;
    if (verdict.isFound) found++;
    others += verdict.others.length;
    if ((!verdict.isFound || verdict.others.length > 0) && toShow-- > 0) show(i, verdict);
  }
  console.log(`${rate} ${wrong}: ${found} of ${tried} found at their ply, ${others} false before it`);
}

function show(index: number, { game, flags, events }: IrregularVerdict): void {
  console.log(`  game ${index} from ${game.played.start}, ${game.word} at ply ${game.ply} is wanted:`);
  console.log(`    ${flags.map((f) => `${f.code}@${f.ply}:${f.severity} ${f.detail ?? ''}`).join('; ')}`);
  const fromMs = game.played.endAtMs - 20_000;
  let running = '';
  const words = events.flatMap((e) => {
    if (e.atMs < fromMs) return [];
    if (e.type === 'square')
      return `${e.atMs} ${e.cell === EMPTY ? '-' : '+'}${makeSquare(e.square)}${e.cell === EMPTY ? '' : `=${'.PNBRQKpnbrqk'[e.cell]}`}`;
    if (e.type !== 'clock' || e.reading.running === running) return [];
    running = e.reading.running ?? '';
    return `${e.atMs} [${running} runs]`;
  });
  console.log(`    ${words.join(' ')}`);
}
