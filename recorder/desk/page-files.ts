/** Where the built page stands, and how it is built in a checkout. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoardError } from '../../core/board-error.ts';

/** Sources of the page; not there when only what was built is. */
const SOURCES = fileURLToPath(new URL('./page/', import.meta.url));
const INDEX = 'index.html';

/** Folder of the built page: `dist/desk`, seen from the sources or from what was built of them. */
function builtDir(): string {
  const fromBuilt = fileURLToPath(new URL('../../desk/', import.meta.url));
  return existsSync(join(SOURCES, 'main.tsx'))
    ? fileURLToPath(new URL('../../dist/desk/', import.meta.url))
    : fromBuilt;
}

const newest = (dir: string): number =>
  Math.max(
    0,
    ...readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Folders whose sources the page is made of. */
const parts = ['./', '../language/', '../../core/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Builds the page into a folder with what a checkout has installed; throws when that is not there. */
export async function buildPage(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: SOURCES,
    base: './',
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2022',
      modulePreload: { polyfill: false },
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  });
}

/**
 * The folder of the built page, built now when its sources are here and newer. Throws DESK_PAGE_MISSING when it is not there
 * and cannot be built.
 */
export async function findPage(): Promise<string> {
  const dir = builtDir();
  const isBuilt = existsSync(join(dir, INDEX));
  const areSourcesHere = existsSync(join(SOURCES, 'main.tsx'));
  if (isBuilt && (!areSourcesHere || statSync(join(dir, INDEX)).mtimeMs >= Math.max(...parts.map(newest))))
    return dir;
  if (!areSourcesHere) throw new BoardError('DESK_PAGE_MISSING');
  try {
    await buildPage(dir);
  } catch (error) {
    if (isBuilt) return dir;
    throw new BoardError('DESK_PAGE_MISSING', {}, error);
  }
  return dir;
}
