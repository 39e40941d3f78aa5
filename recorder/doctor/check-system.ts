import { readdir, readFile } from 'node:fs/promises';
import { type Finding, fine, fix, note } from './finding.ts';

/** Programs that open serial ports on their own account and take boards away, with what to do about each. */
const GRABBERS: readonly (readonly [process: string, cure: string])[] = [
  ['ModemManager', 'It probes new ports for modems: `sudo systemctl disable --now ModemManager`.'],
  [
    'brltty',
    'It takes some USB bridges for braille displays: `sudo systemctl disable --now brltty brltty-udev`.',
  ],
];

/** Whether the native parts of this program run on this machine, and nothing takes its ports away. */
export async function checkSystem(): Promise<readonly Finding[]> {
  const { node } = process.versions;
  return [
    fine('node', `${node} on ${process.platform} ${process.arch}`),
    await checkModule('database driver', async () => {
      const { default: Sqlite } = await import('better-sqlite3');
      const db = new Sqlite(':memory:');
      const version = db.prepare('SELECT sqlite_version()').pluck().get();
      db.close();
      return `SQLite ${String(version)}`;
    }),
    await checkModule('serial driver', async () => {
      await import('serialport');
      return 'loads';
    }),
    ...(await findGrabbers()),
  ];
}

async function checkModule(check: string, load: () => Promise<string>): Promise<Finding> {
  try {
    return fine(check, await load());
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const library = /(lib[\w.+-]+\.so[\w.]*|GLIBC_[\d.]+)/.exec(text)?.[1];
    return fix(
      check,
      `does not load: ${text.split('\n')[0]}`,
      library === undefined
        ? 'Run `npm ci` in the folder of the program, with the Node that runs it.'
        : `The system library ${library} is missing: install it with the package manager, or rebuild with \`npm rebuild\`.`,
    );
  }
}

async function findGrabbers(): Promise<Finding[]> {
  if (process.platform !== 'linux') return [];
  const running = new Set<string>();
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    running.add((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim());
  }
  return GRABBERS.filter(([name]) => running.has(name)).map(([name, cure]) =>
    note('other programs', `${name} is running and may take ports away`, cure),
  );
}
