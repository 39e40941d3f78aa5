/**
 * `npm run bench:unwinnable`: answers on the positions of the field and what they cost, as a ratio to a floor measured in
 * the same run, so that machines compare: the rules library finds all legal moves of the same positions. Prints one JSON object.
 */
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { askWinnability, DEFAULT_BUDGET } from '../../core/laws/unwinnable/winnability.ts';
import { SIDES } from '../../core/square.ts';
import {
  hasUnwinnableFiles,
  type KnownPosition,
  readLabelled,
  readTimeouts,
} from '../field/unwinnable-file.ts';

/** Time this process has worked, µs: what others do on the machine does not count. */
const workedUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** µs to find the legal moves of a position. */
function measureFloor(positions: readonly KnownPosition[]): number {
  const all = positions.map(({ fen }) => Chess.fromSetup(parseFen(fen).unwrap()).unwrap());
  let seen = 0;
  const rounds = 3;
  const from = workedUs();
  for (let round = 0; round < rounds; round++) {
    for (const chess of all) for (const targets of chess.allDests().values()) seen += targets.size();
  }
  const us = workedUs() - from;
  if (seen === 0) throw new Error('the floor did nothing');
  return us / (rounds * all.length);
}

function measure(positions: readonly KnownPosition[]) {
  const counts = { winnable: 0, unwinnable: 0, undecided: 0, undecidedPositions: 0, wrong: 0 };
  let nodes = 0;
  let plies = 0;
  const from = workedUs();
  for (const { position, canMate } of positions) {
    let open = false;
    for (const side of SIDES) {
      const answer = askWinnability(position, side);
      counts[answer.verdict]++;
      nodes += answer.nodes;
      plies += answer.line?.length ?? 0;
      if (answer.verdict === 'undecided') open = true;
      else if (canMate !== undefined && (answer.verdict === 'winnable') !== canMate[side]) counts.wrong++;
    }
    if (open) counts.undecidedPositions++;
  }
  const us = (workedUs() - from) / positions.length;
  return {
    positions: positions.length,
    ...counts,
    /** Both sides together. */
    msPerPosition: us / 1000,
    usPerPosition: us,
    nodesPerPosition: nodes / positions.length,
    pliesPerLine: plies / Math.max(1, counts.winnable),
  };
}

if (!hasUnwinnableFiles) process.exit(1);
const timeouts = readTimeouts();
// Compiled before it is measured, as in a recorder that runs for a day.
for (const { position } of timeouts.slice(0, 500)) for (const side of SIDES) askWinnability(position, side);
const floorUs = measureFloor(timeouts);
const flags = measure(timeouts);
const odd = measure(readLabelled());
const round = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;
console.log(
  JSON.stringify(
    {
      budget: DEFAULT_BUDGET,
      floorUs,
      timeouts: { ...flags, ratioToFloor: flags.usPerPosition / floorUs },
      labelled: { ...odd, ratioToFloor: odd.usPerPosition / floorUs },
    },
    round,
    2,
  ),
);
