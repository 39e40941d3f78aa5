import { BoardError } from '../../core/board-error.ts';
import { failedAttempt } from '../attempt.ts';
import { openRecorderStore, type Repaired } from '../open-recorder-store.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './log.ts';
import type { Presenter } from './present.ts';

/** Opens the database of a command that records; what had to be repaired is said. */
export const openForRecording = (
  file: string,
  { say, show }: Pick<Presenter, 'say' | 'show'>,
  log?: Pick<Log, 'take'>,
): Store =>
  openRecorderStore(file, { wallMs: () => Date.now() }, (repaired) => {
    // Programs look for the code, people read the lines.
    const fault = failedAttempt(new BoardError('STORE_DAMAGED', { file }), repaired.incomplete.length > 0);
    show(fault);
    log?.take(fault);
    say(makeRepairText(file, repaired));
  });

/** What became of a damaged database, in lines. */
export function makeRepairText(
  file: string,
  { damaged, saved, gaps, incomplete, rederived }: Repaired,
): string {
  const lost = Object.entries(gaps).map(([table, count]) => `${table} (${count})`);
  return [
    `The database ${file} was damaged. It was put aside, as it is: ${damaged}`,
    `Saved: ${saved.inputs ?? 0} rows of raw input and ${saved.games ?? 0} games; recording goes on in a new file of the same name.`,
    lost.length === 0
      ? 'No row was lost.'
      : `Places that could not be read: ${lost.join(', ')}.${
          incomplete.length === 0
            ? ' The raw input is whole.'
            : ' Raw input is missing: compare the games of today with the boards and scoresheets.'
        }`,
    ...(rederived === 0 ? [] : [`Games derived again from the raw input: ${rederived}.`]),
    'A disk that damages one file may damage the next: copy the database to another one soon (`jadoube backup`).',
  ].join('\n');
}
