import { connect, lastValueFrom, merge, of, Subject, take, takeUntil, tap } from 'rxjs';
import { BOARDS } from '../../boards/registry.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import { readBoardSettings } from '../board-settings.ts';
import { lightBoards$ } from '../lights/lights-service.ts';
import { record$ } from '../recorder.ts';
import type { ServeUpdate } from '../serve/service.ts';
import { boardsAway } from '../sitting.ts';
import { checkStart, parseBoardOption, parseOptions, parseRules, phrasesFor, RECORD } from './arguments.ts';
import type { Io } from './io.ts';
import { openLog } from './log.ts';
import { openForRecording } from './open-for-recording.ts';
import { createPresenter } from './present.ts';

/** Records until Ctrl-C; then commits and writes what is under way, closes the ports and says where everything is. */
export async function runRecord(options: unknown, io: Io): Promise<number> {
  const { board, db, pgn, capture, fen, variant, log, lang, lights, ...said } = parseOptions(RECORD, options);
  checkStart(fen, variant);
  const rules = parseRules(said);
  const phrases = phrasesFor(lang, io);
  const named = board.map(parseBoardOption);
  const settings = readBoardSettings(BOARDS, io.env);
  const logger = log === undefined ? undefined : await openLog(log);
  const presenter = createPresenter(io, phrases);
  const store = openForRecording(db, presenter, logger);
  const captures: string[] = [];
  try {
    const clock = createSystemClock({ originMs: store.originMs(Date.now()) });
    const fleet = createFleet({
      definitions: BOARDS,
      clock,
      named,
      settings,
      away: boardsAway(store, clock.monotonicMs(), clock.wallMs()),
    });
    const ended = new Subject<void>();
    const stop$ = io.interrupt$.pipe(take(1));
    // Who asks twice does not want to wait; what is committed is safe.
    const impatient$ = io.interrupt$.pipe(take(2), tap({ complete: () => io.exit(130) }), takeUntil(ended));
    const show = (update: ServeUpdate): void => {
      if (update.type === 'capture') captures.push(update.path);
      logger?.take(update);
      presenter.show(update);
    };
    if (io.out.isTTY === true) presenter.say('Recording. Ctrl-C ends it.');
    const recording$ = record$({
      fleet,
      store,
      clock,
      stop$,
      sitting: { variant, ...(fen !== undefined && { start: fen }), ...(rules !== undefined && { rules }) },
      ...(pgn !== false && { pgnDir: pgn }),
      ...(capture !== undefined && { captureDir: capture }),
    }).pipe(
      connect((updates$) =>
        lights ? merge(updates$, lightBoards$(updates$, of(true), fleet, clock)) : updates$,
      ),
      tap({ next: show, finalize: () => ended.next() }),
    );
    await lastValueFrom(merge(recording$, impatient$), { defaultValue: undefined });
  } finally {
    presenter.done();
    store.close();
    await logger?.close();
  }
  presenter.say(
    [
      `Games: ${db}`,
      ...(pgn === false ? [] : [`PGN: ${pgn}`]),
      ...captures.map((path) => `Capture: ${path}`),
    ].join('\n'),
  );
  return 0;
}
