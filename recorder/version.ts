import { existsSync, readFileSync } from 'node:fs';

/** The version of this program, from the first `package.json` above this file: sources and what is built of them lie differently deep. */
export function readVersion(): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const manifest = new URL('package.json', folder);
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
    if (new URL('..', folder).href === folder.href) return 'unknown';
  }
}
