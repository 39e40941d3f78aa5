#!/usr/bin/env node
// Starts the command line, or a thread of it that is named: from the TypeScript sources when they are here and can be run, else from what was built.
import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const here = (path) => new URL(path, import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`jadoube needs Node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

// A reader that goes away (`jadoube games | head`) is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(0);
    // The other stream may still be heard.
    if (stream === process.stdout) {
      process.stderr.write(
        `FILE_UNWRITABLE: the output cannot be written (${error.code ?? error.message})\n`,
      );
    }
    process.exit(1);
  });
}

/** Whether the sources are here, as in a checkout, and what runs them is installed. */
async function canRunSources() {
  if (!existsSync(here('./main.ts'))) return false;
  try {
    const { register } = await import('tsx/esm/api');
    register();
    return true;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
}

async function load() {
  if (await canRunSources()) return import('./main.ts');
  return existsSync(here('../../dist/recorder/cli/main.js'))
    ? import('../../dist/recorder/cli/main.js')
    : undefined;
}

async function runMain() {
  const main = await load();
  if (main === undefined) {
    process.stderr.write(
      'jadoube cannot run its sources: `npm ci` installs what is missing, `npm run build` makes it run without\n',
    );
    process.exitCode = 1;
  } else {
    process.exitCode = await main.runJadoube(process.argv.slice(2), main.createIo(process));
  }
}

if (isMainThread) await runMain();
else if (await canRunSources()) await import(workerData.thread);
