import type { Flag } from '../../core/flag.ts';
import { createPaperSource } from '../paper/paper-source.ts';
import { type GameReport, makeReport } from '../paper/report.ts';
import { makeReportHtml, makeReportText } from '../paper/report-text.ts';
import { openStoreReader, type StoredGame } from '../store/store.ts';
import { parseOptions, phrasesFor, REPORT } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';
import { writeFile } from './write-file.ts';

/** Prints what an arbiter hands in about a set of games: as text, as a page to be printed, or as one JSON object a game. */
export async function runReport(options: unknown, io: Io): Promise<number> {
  const asked = parseOptions(REPORT, options);
  const { db, board, since, game: ids, html, json, san, limited, lang } = asked;
  const phrases = phrasesFor(lang, io, { san });
  const reader = openStoreReader(db);
  try {
    const games = reader
      .games({ ...(board !== undefined && { board }), ...(since !== undefined && { sinceWallMs: since }) })
      .filter((game) => isAskedFor(game, asked));
    const missing = ids.find((id) => !games.some((game) => game.id === id));
    if (missing !== undefined) throw new ArgumentError(`there is no game ${missing} among those asked for`);
    const source = createPaperSource(reader, limited);
    const reports = games.flatMap((game) =>
      makeReport([source.gameOf(game)], { enteredOf: () => source.enteredOf(game) }),
    );
    if (json) for (const report of reports) io.out.write(`${JSON.stringify(makeReportLine(report))}\n`);
    else if (html === undefined)
      for (const line of makeReportText(reports, phrases)) io.out.write(`${line}\n`);
    else {
      const page = makeReportHtml(reports, phrases);
      if (html === true) io.out.write(page);
      else await writeFile(html, page);
    }
    return 0;
  } finally {
    reader.close();
  }
}

interface Asked {
  readonly game: readonly number[];
  readonly event?: string | undefined;
  readonly round?: string | undefined;
}

function isAskedFor({ id, tags }: StoredGame, { game, event, round }: Asked): boolean {
  const fits = (tag: string | undefined, wanted: string | undefined): boolean =>
    wanted === undefined || tag?.trim().toLowerCase() === wanted.trim().toLowerCase();
  return (game.length === 0 || game.includes(id)) && fits(tags.Event, event) && fits(tags.Round, round);
}

/** One line of `report --json`. */
function makeReportLine(report: GameReport) {
  const { game, score, termination, isOver, open } = report;
  const stamp = (atMs: number) => ({ atMs, at: new Date(game.wallMsOf(atMs)).toISOString() });
  const entered = (wallMs: number | undefined) =>
    wallMs === undefined ? {} : { enteredAt: new Date(wallMs).toISOString() };
  const flagLine = ({ code, severity, ply, atMs, detail }: Flag) => ({
    code,
    severity,
    ply,
    detail,
    ...stamp(atMs),
  });
  return {
    game: game.id,
    board: game.board,
    event: game.tags.Event,
    round: game.tags.Round,
    white: game.tags.White,
    black: game.tags.Black,
    startedAt: new Date(game.startedWallMs).toISOString(),
    plies: game.record.plies.length,
    result: score,
    termination,
    ended: isOver,
    open,
    irregularities: report.irregularities.map(
      ({ kind, side, ply, article, atMs, isCompleted, state, by, penalty, clocks, before }) => ({
        kind,
        side,
        ply,
        article,
        state,
        by,
        completed: isCompleted,
        penalty,
        clocks,
        before: before.fen(),
        ...stamp(atMs),
      }),
    ),
    timeAdded: report.timeAdded.map(({ atMs, ...added }) => ({ ...added, ...stamp(atMs) })),
    decisions: report.decisions.map(({ by, ruling, atMs, enteredWallMs }) => ({
      by,
      ruling,
      ...stamp(atMs),
      ...entered(enteredWallMs),
    })),
    corrections: report.corrections.map(({ by, from, plies, replaces, atMs, enteredWallMs }) => ({
      by,
      from,
      plies,
      replaces,
      ...stamp(atMs),
      ...entered(enteredWallMs),
    })),
    offers: report.offers,
    results: report.resultFlags.map(flagLine),
    doubts: report.pliesInDoubt,
    flags: report.flags.map(flagLine),
  };
}
