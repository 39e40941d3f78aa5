import { lastValueFrom, take, tap } from 'rxjs';
import { loadConfig } from '../config/load-config.ts';
import { createConfiguredWire, worker$, workerName } from '../serve/stream.ts';
import { makeErrorText } from '../view/fault-text.ts';
import { phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';
import { openLog } from './log.ts';
import { createPresenter } from './present.ts';
import { givenSettings } from './setting-flags.ts';

/**
 * Derives games for a hub until Ctrl-C or the system asks it to end; keeps nothing on disk. Status 1 when the settings cannot be used:
 * all their faults are printed.
 */
export async function runWorker(options: Readonly<Record<string, unknown>>, io: Io): Promise<number> {
  const given = givenSettings({ ...options, streamRole: 'worker' });
  const loaded = loadConfig(options.config as string | undefined, given);
  if (!loaded.ok) {
    for (const fault of loaded.fault) io.err.write(makeErrorText(fault));
    return 1;
  }
  const { recorder, stream } = loaded.value.config;
  const { log, logMegabytes, logKeep, language } = recorder;
  const wire = createConfiguredWire(stream, io.env);
  const logger = log === '' ? undefined : await openLog(log, { megabytes: logMegabytes, keep: logKeep });
  const presenter = createPresenter(io, phrasesFor(language, io));
  const stop$ = (io.end$ ?? io.interrupt$).pipe(take(1));
  const working$ = worker$({ worker: workerName(), wire, stop$ });
  try {
    await lastValueFrom(
      working$.pipe(
        tap((notice) => {
          logger?.take(notice);
          presenter.show(notice);
        }),
      ),
      { defaultValue: undefined },
    );
  } finally {
    presenter.done();
    await logger?.close();
  }
  return 0;
}
