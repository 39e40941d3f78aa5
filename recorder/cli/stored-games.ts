import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  concat,
  defer,
  EMPTY,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  takeWhile,
  tap,
} from 'rxjs';
import type { BoardDefinition, StoredGamesEvent, StoredGamesOutput } from '../../boards/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { BoardError } from '../../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from '../../driver/address.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createTransport } from '../../driver/create-transport.ts';
import { discover, LISTEN_MS, listPorts } from '../../driver/discovery.ts';
import { runMachine } from '../../driver/run-machine.ts';
import type { LinkEvent } from '../../driver/transport.ts';
import { parseBoardOption, parseOptions, STORED_GAMES } from './arguments.ts';
import type { Io } from './io.ts';

/**
 * Fetches the games a board has recorded while nobody was connected: each into a file of its own that `replay` reads. With
 * `--delete` a game is deleted from the board once its file is on the disk, which is the only way to the next one.
 */
export async function runStoredGames(options: unknown, io: Io): Promise<number> {
  const { board, out, delete: mayDelete } = parseOptions(STORED_GAMES, options);
  const { definition, link } = await findStore(board);
  const createStoredGames = definition.createStoredGames!;
  const clock = createSystemClock();
  const answer = new Subject<StoredGamesEvent>();
  const device = makeLinkAddress(link);
  let write = (_: Uint8Array): Promise<void> => Promise.reject(new BoardError('LINK_GONE', { device }));
  let status = 0;
  let left = 0;

  const hear = (event: LinkEvent): StoredGamesEvent => {
    if (event.type === 'bytes') return event;
    write = event.write;
    return { type: 'opened', atMs: event.atMs };
  };
  const take = (output: StoredGamesOutput): Observable<never> => {
    switch (output.type) {
      case 'write':
        return defer(() => write(output.bytes)).pipe(ignoreElements());
      case 'count':
        left = output.count;
        io.out.write(`${device}: ${output.count} stored game${output.count === 1 ? '' : 's'}\n`);
        return EMPTY;
      case 'game': {
        const file = writeDurably(out, definition.id, output.bytes);
        io.out.write(
          `${file}: ${output.positions} positions; \`jadoube replay --board ${definition.id} ${file}\`\n`,
        );
        const next = mayDelete ? ('kept' as const) : ('enough' as const);
        if (!mayDelete && left > 1)
          io.out.write(
            `${left - 1} older: reached only with --delete, which takes the newest off the board\n`,
          );
        // Not within the step that has told the game.
        return clock.timer$(0).pipe(
          tap(() => answer.next({ type: next, atMs: clock.monotonicMs() })),
          ignoreElements(),
        );
      }
      case 'failed':
        status = 1;
        io.err.write(`${output.fault.code}: ${output.fault.message}\n`);
        return EMPTY;
      case 'done':
        return EMPTY;
    }
  };
  const fetched$ = merge(createTransport(link, definition, clock).open$().pipe(map(hear)), answer).pipe(
    runMachine(() => createStoredGames(), clock),
    // The last write goes out before the link is closed.
    mergeMap((output) => concat(take(output), output.type === 'done' ? of(false) : of(true)), 1),
    takeWhile((goesOn) => goesOn),
  );
  await lastValueFrom(fetched$, { defaultValue: undefined });
  return status;
}

/** The board that was named, or the only one found that stores games. */
async function findStore(
  board: string | undefined,
): Promise<{ readonly definition: BoardDefinition; readonly link: LinkAddress }> {
  const able = BOARDS.filter(({ createStoredGames }) => createStoredGames !== undefined);
  const kinds = able.map(({ id }) => id).join(', ');
  if (board !== undefined) {
    const { kind, link } = parseBoardOption(board);
    const definition = able.find(({ id }) => id === kind);
    if (definition !== undefined) return { definition, link };
    const detail = `games are fetched from boards of the kind ${kinds}: name one as KIND=LINK`;
    throw new BoardError('ARGUMENT_INVALID', { argument: board, detail });
  }
  const list = (): ReturnType<typeof listPorts> => listPorts({ listenMs: LISTEN_MS });
  const [first, second] = (await discover({ definitions: able, list })).filter(
    ({ verdict }) => verdict === 'certain',
  );
  if (first !== undefined && second === undefined) return { definition: first.kinds[0]!, link: first.link };
  const detail =
    first === undefined
      ? `no board is here that stores games (${kinds})`
      : 'several boards are here that store games: name one with --board';
  throw new BoardError('ARGUMENT_INVALID', { argument: '--board', detail });
}

/** Writes a new file and returns its name once it is on the disk. Throws FILE_UNWRITABLE. */
function writeDurably(folder: string, kind: string, bytes: Uint8Array): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  for (let number = 1; ; number++) {
    const file = join(folder, `${kind}-stored-${stamp}-${number}.bin`);
    try {
      mkdirSync(folder, { recursive: true });
      const handle = openSync(file, 'wx');
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      // The name of the file is the folder's; Windows keeps it by itself.
      if (process.platform !== 'win32') {
        const parent = openSync(dirname(file), 'r');
        fsyncSync(parent);
        closeSync(parent);
      }
      return file;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && number < 1000) continue;
      throw new BoardError('FILE_UNWRITABLE', { file }, cause);
    }
  }
}
