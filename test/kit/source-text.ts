/** A source file taken apart far enough to check what it imports and which words it uses. */
export interface SourceText {
  /** The program without comments, contents of strings and regular expressions; everything keeps its line. */
  readonly code: string;
  readonly imports: readonly ImportUse[];
}

/** One use of another module. */
export interface ImportUse {
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  /** `type`: nothing of it is there when the program runs. `lazy`: only when that place is reached. */
  readonly how: 'static' | 'type' | 'lazy';
}

// After these a slash begins a regular expression; after anything else it divides.
const BEFORE_REGEX = /(^|[(,=:[!&|?{};+\-*%<>~^]|\b(return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

/** Reads TypeScript or JavaScript; knows just enough of it. */
export function readSource(source: string): SourceText {
  let code = '';
  const strings = new Map<number, string>();
  /** Open braces of each template that is being left for an expression. */
  const templates: number[] = [];
  let at = 0;

  const skip = (end: number): void => {
    code += source.slice(at, end).replace(/[^\n]/g, ' ');
    at = end;
  };
  const template = (): void => {
    let end = at;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end)) {
      end += source[end] === '\\' ? 2 : 1;
    }
    skip(end);
    if (source[at] === '`') {
      code += '`';
      at += 1;
    } else if (at < source.length) {
      code += '${';
      at += 2;
      templates.push(0);
    }
  };

  while (at < source.length) {
    const char = source[at]!;
    const two = source.slice(at, at + 2);
    if (two === '//' || (at === 0 && two === '#!')) {
      const end = source.indexOf('\n', at);
      skip(end < 0 ? source.length : end);
    } else if (two === '/*') {
      const end = source.indexOf('*/', at + 2);
      skip(end < 0 ? source.length : end + 2);
    } else if (char === "'" || char === '"') {
      let end = at + 1;
      while (end < source.length && source[end] !== char && source[end] !== '\n') {
        end += source[end] === '\\' ? 2 : 1;
      }
      strings.set(code.length, source.slice(at + 1, end));
      code += char;
      at += 1;
      skip(end);
      code += char;
      at += 1;
    } else if (char === '`') {
      code += '`';
      at += 1;
      template();
    } else if (char === '/' && BEFORE_REGEX.test(code.slice(-40))) {
      let end = at + 1;
      for (let inClass = false; end < source.length && (inClass || source[end] !== '/'); end++) {
        if (source[end] === '\\') end += 1;
        else if (source[end] === '[') inClass = true;
        else if (source[end] === ']') inClass = false;
        else if (source[end] === '\n') break;
      }
      skip(end + 1);
    } else {
      code += char;
      at += 1;
      const open = templates.length - 1;
      if (open < 0) continue;
      if (char === '{') templates[open]! += 1;
      if (char === '}' && templates[open]!-- === 0) {
        templates.pop();
        template();
      }
    }
  }
  return { code, imports: findImports(code, strings) };
}

function findImports(code: string, strings: ReadonlyMap<number, string>): ImportUse[] {
  const imports: ImportUse[] = [];
  const add = (quoteAt: number, how: ImportUse['how']): void => {
    const specifier = strings.get(quoteAt);
    if (specifier === undefined) return;
    imports.push({ specifier, line: code.slice(0, quoteAt).split('\n').length, how });
  };
  for (const match of code.matchAll(/\b(import|export)\b(\s+type\b)?[^;'"()]*?\bfrom\s*(?=['"])/g)) {
    add(match.index + match[0].length, isTypeOnly(match[0], match[2]) ? 'type' : 'static');
  }
  for (const match of code.matchAll(/(?:^|[\n;])\s*import\s*(?=['"])/g)) {
    add(match.index + match[0].length, 'static');
  }
  for (const match of code.matchAll(/(\btypeof\s+)?\bimport\s*\(\s*(?=['"])/g)) {
    add(match.index + match[0].length, match[1] === undefined ? 'lazy' : 'type');
  }
  return imports;
}

/** "import type { A }", and "import { type A, type B }" as well: nothing of either is left when the program runs. */
function isTypeOnly(clause: string, type: string | undefined): boolean {
  if (type !== undefined) return true;
  const names = /\{([^}]*)\}/.exec(clause)?.[1];
  if (names === undefined || !/^(import|export)\s*\{/.test(clause)) return false;
  const list = names.split(',').filter((name) => name.trim() !== '');
  return list.length > 0 && list.every((name) => /^\s*type\s/.test(name));
}
