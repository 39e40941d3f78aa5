/**
 * Where a setting stands in a TOML file. The library that reads the file tells no places; this reads only headers and keys,
 * which is enough to lead a person to the line.
 */

type Path = readonly (string | number)[];

interface Place {
  readonly path: Path;
  readonly line: number;
}

/** Splits a dotted key: `a.b`, `a."b.c"`. */
const keyParts = (key: string): string[] =>
  [...key.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g)].map((part) => part[1] ?? part[2] ?? part[3]!);

const OPENERS = new Set(['[', '{']);
const CLOSERS = new Set([']', '}']);

/** How deep in brackets, and in which long string, a value leaves its line. */
function follow(text: string, begin: { depth: number; quote: string | undefined }): void {
  let at = 0;
  while (at < text.length) {
    if (begin.quote !== undefined) {
      const end = text.indexOf(begin.quote, at);
      if (end < 0) return;
      at = end + 3;
      begin.quote = undefined;
      continue;
    }
    const three = text.slice(at, at + 3);
    if (three === '"""' || three === "'''") {
      begin.quote = three;
      at += 3;
      continue;
    }
    const char = text[at]!;
    if (char === '#') return;
    if (char === '"') {
      const string = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at));
      at += string?.[0].length ?? 1;
      continue;
    }
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    if (OPENERS.has(char)) begin.depth++;
    if (CLOSERS.has(char)) begin.depth--;
    at++;
  }
}

function* places(text: string): Generator<Place> {
  const counts = new Map<string, number>();
  let table: Path = [];
  const open: { depth: number; quote: string | undefined } = { depth: 0, quote: undefined };
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    if (open.depth > 0 || open.quote !== undefined) {
      follow(row, open);
      continue;
    }
    const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?/.exec(row);
    if (header !== null) {
      const names = keyParts(header[2]!);
      const path: (string | number)[] = [];
      names.forEach((name, i) => {
        path.push(name);
        const key = JSON.stringify(path);
        if (header[1] === '[[' && i === names.length - 1) counts.set(key, (counts.get(key) ?? -1) + 1);
        const count = counts.get(key);
        if (count !== undefined) path.push(count);
      });
      table = path;
      yield { path, line };
      continue;
    }
    const key =
      /^\s*((?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'))*)\s*=/.exec(
        row,
      );
    if (key === null) continue;
    yield { path: [...table, ...keyParts(key[1]!)], line };
    follow(row.slice(key[0].length), open);
  }
}

/**
 * The 1-based line of a setting, or of what stands nearest around it when it is absent itself; 1 for an empty path. `nameOf`
 * brings names of the file into the form that the path has.
 */
export function locateSetting(text: string, path: Path, nameOf: (name: string) => string): number {
  let best = 1;
  let length = 0;
  for (const place of places(text)) {
    const names = place.path.map((part) => (typeof part === 'string' ? nameOf(part) : part));
    let same = 0;
    while (same < names.length && same < path.length && names[same] === path[same]) same++;
    // Something else beside what is looked for says nothing about where that is.
    if (same === names.length && same > length) {
      best = place.line;
      length = same;
    }
  }
  return best;
}
