import { statSync } from 'node:fs';
import { defer, distinctUntilChanged, filter, map, merge, type Observable, of, repeat } from 'rxjs';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../driver/clock.ts';
import {
  CONFIG_FILE,
  type ConfigFaults,
  type GivenSetting,
  type LoadedConfig,
  loadConfig,
} from '../config/load-config.ts';

/** Time between two looks at the file, ms. */
const LOOK_MS = 1000;

export interface WatchOptions {
  readonly file: string | undefined;
  readonly given: readonly GivenSetting[];
  readonly clock: Clock;
  /** The system asks that the settings be read again. */
  readonly reload$: Observable<unknown>;
}

/** What tells a file from the one it replaced; editors write a new one beside it and rename that. */
function markOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'absent';
  }
}

/**
 * The settings after every change of their file and whenever `reload$` asks; not what they are at the beginning. Cold, never ends.
 * What cannot be used comes as its faults, and nobody has to change anything then.
 */
export function watchConfig$({
  file,
  given,
  clock,
  reload$,
}: WatchOptions): Observable<Result<LoadedConfig, ConfigFaults>> {
  const name = file ?? CONFIG_FILE;
  return defer(() => {
    const begun = markOf(name);
    const changed$ = defer(() => of(markOf(name))).pipe(
      repeat({ delay: () => clock.timer$(LOOK_MS) }),
      distinctUntilChanged(),
      filter((mark, index) => index > 0 || mark !== begun),
    );
    return merge(changed$, reload$).pipe(map(() => loadConfig(file, given)));
  });
}
