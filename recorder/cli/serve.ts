import { EMPTY, lastValueFrom, merge, Subject, take, takeUntil, tap } from 'rxjs';
import { createSystemClock } from '../../driver/clock.ts';
import { loadConfig } from '../config/load-config.ts';
import { serve$ } from '../serve/serve.ts';
import type { ServeUpdate } from '../serve/service.ts';
import { SERVICES } from '../serve/services.ts';
import { openTournamentDesk } from '../tournament/tournament-desk.ts';
import { makeErrorText } from '../view/fault-text.ts';
import { phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';
import { openLog } from './log.ts';
import { openForRecording } from './open-for-recording.ts';
import { createPresenter } from './present.ts';
import { givenSettings } from './setting-flags.ts';

/**
 * Records all boards and runs everything beside it, until Ctrl-C or the system asks it to end. Status 1 when the settings cannot be
 * used: all their faults are printed.
 */
export async function runServe(options: Readonly<Record<string, unknown>>, io: Io): Promise<number> {
  const given = givenSettings(options);
  const loaded = loadConfig(options.config as string | undefined, given);
  if (!loaded.ok) {
    for (const fault of loaded.fault) io.err.write(makeErrorText(fault));
    return 1;
  }
  const { config } = loaded.value;
  const { db, pgn, log, logMegabytes, logKeep, language } = config.recorder;
  const phrases = phrasesFor(language, io);
  const logger = log === '' ? undefined : await openLog(log, { megabytes: logMegabytes, keep: logKeep });
  const presenter = createPresenter(io, phrases);
  const store = openForRecording(db, presenter, logger);
  try {
    const clock = createSystemClock({ originMs: store.originMs(Date.now()) });
    const tournament = openTournamentDesk(db, clock);
    try {
      const ended = new Subject<void>();
      // The signal that asks others to end asks us to read the settings again.
      const reload$ = io.reload$ ?? EMPTY;
      const interrupt$ = io.end$ ?? io.interrupt$;
      const impatient$ = interrupt$.pipe(take(2), tap({ complete: () => io.exit(130) }), takeUntil(ended));
      const show = (update: ServeUpdate): void => {
        logger?.take(update);
        presenter.show(update);
      };
      if (io.out.isTTY === true) presenter.say('Recording. Ctrl-C ends it.');
      const serving$ = serve$({
        store,
        tournament,
        clock,
        config,
        configFile: options.config as string | undefined,
        given,
        reload$,
        stop$: interrupt$.pipe(take(1)),
        services: SERVICES,
        env: io.env,
      }).pipe(tap({ next: show, finalize: () => ended.next() }));
      await lastValueFrom(merge(serving$, impatient$), { defaultValue: undefined });
    } finally {
      tournament.close();
    }
  } finally {
    presenter.done();
    store.close();
    await logger?.close();
  }
  presenter.say([`Games: ${db}`, ...(pgn === '' ? [] : [`PGN: ${pgn}`])].join('\n'));
  return 0;
}
