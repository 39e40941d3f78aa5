import { BOARDS } from '../../boards/registry.ts';
import { isBoardError } from '../../core/board-error.ts';
import { makeUdevRules } from '../../driver/udev-rules.ts';
import { checkBoards } from '../doctor/check-boards.ts';
import { checkClock, checkDatabase, checkFolder, checkLeftovers } from '../doctor/check-files.ts';
import { checkHeard } from '../doctor/check-heard.ts';
import { checkLinks } from '../doctor/check-links.ts';
import { checkSystem } from '../doctor/check-system.ts';
import type { Finding } from '../doctor/finding.ts';
import { plainText } from '../view/display-text.ts';
import { DOCTOR, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';

const MARKS = { fine: 'ok  ', note: 'note', fix: 'FIX ' } as const;

/** Looks for what would stand in the way of recording, each with its cure. Status 1 when something needs doing. */
export async function runDoctor(options: unknown, io: Io): Promise<number> {
  const { db, pgn, json, udevRules } = parseOptions(DOCTOR, options);
  if (udevRules) {
    io.out.write(makeUdevRules(BOARDS));
    return 0;
  }
  let status = 0;
  for await (const finding of examine(db, pgn)) {
    if (finding.state === 'fix') status = 1;
    if (json) io.out.write(`${JSON.stringify(finding)}\n`);
    else {
      io.out.write(`${MARKS[finding.state]} ${plainText(`${finding.check}: ${finding.text}`)}\n`);
      if (finding.cure !== undefined) io.out.write(`     ${plainText(finding.cure)}\n`);
    }
  }
  return status;
}

async function* examine(db: string, pgn: string | false): AsyncGenerator<Finding> {
  const checks: (() => Promise<readonly Finding[]>)[] = [
    checkSystem,
    checkLinks,
    checkBoards,
    () => checkFolder('database folder', db, true),
    ...(pgn === false ? [] : [() => checkFolder('PGN folder', pgn, false)]),
    () => checkDatabase(db),
    () => checkHeard(db),
    () => checkClock(db),
    () => checkLeftovers(db, pgn),
  ];
  for (const check of checks) {
    try {
      yield* await check();
    } catch (error) {
      // A coded failure is a finding; anything else is a mistake of ours.
      if (!isBoardError(error)) throw error;
      yield { check: error.code, state: 'fix', text: error.message, cure: error.cure };
    }
  }
}
