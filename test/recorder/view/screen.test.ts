import { describe, expect, it } from 'vitest';
import { createScreen } from '../../../recorder/view/screen.ts';

/** A terminal of lines: understands exactly what a screen may send. */
function createTerminal(columns = 40, rows = 10) {
  const lines: string[] = [''];
  let row = 0;
  let hidden = false;
  let writes = 0;
  const write = (text: string): void => {
    writes++;
    for (const [, control, plain] of text.matchAll(/(\x1b\[[?\d]*[A-Za-z]|\r|\n)|([^\x1b\r\n]+)/g)) {
      if (plain !== undefined) lines[row] = plain;
      else if (control === '\n') {
        row++;
        lines[row] ??= '';
      } else if (control === '\r' || control === '\x1b[K') continue;
      else if (control === '\x1b[J') lines.splice(row, lines.length - row, '');
      else if (control === '\x1b[?25l') hidden = true;
      else if (control === '\x1b[?25h') hidden = false;
      else if (/^\x1b\[\d+A$/.test(control!)) row -= Number(control!.slice(2, -1));
      else throw new Error(`unknown ${JSON.stringify(control)}`);
    }
  };
  return {
    write,
    columns,
    rows,
    get lines() {
      return lines.slice(0, -1);
    },
    get hidden() {
      return hidden;
    },
    get writes() {
      return writes;
    },
  };
}

describe('screen', () => {
  it('draws again in the same place, with fewer or more lines', () => {
    const terminal = createTerminal();
    const screen = createScreen(terminal);
    screen.draw(['a', 'b', 'c']);
    expect(terminal.lines).toEqual(['a', 'b', 'c']);
    screen.draw(['d']);
    expect(terminal.lines).toEqual(['d']);
    screen.draw(['e', 'f']);
    expect(terminal.lines).toEqual(['e', 'f']);
  });

  it('writes nothing when nothing has changed', () => {
    const terminal = createTerminal();
    const screen = createScreen(terminal);
    screen.draw(['a']);
    const { writes } = terminal;
    screen.draw(['a']);
    expect(terminal.writes).toBe(writes);
  });

  it('prints above what is drawn', () => {
    const terminal = createTerminal();
    const screen = createScreen(terminal);
    screen.print('before');
    screen.draw(['a', 'b']);
    screen.print('news');
    screen.draw(['c', 'd']);
    expect(terminal.lines).toEqual(['before', 'news', 'c', 'd']);
  });

  it('gives the cursor back and leaves the last picture', () => {
    const terminal = createTerminal();
    const screen = createScreen(terminal);
    screen.draw(['a']);
    expect(terminal.hidden).toBe(true);
    screen.close();
    expect(terminal.hidden).toBe(false);
    screen.draw(['b']);
    expect(terminal.lines).toEqual(['a', 'b']);
  });

  it('leaves a column free, and has a size where the terminal tells none', () => {
    expect(createScreen(createTerminal(40, 10))).toMatchObject({ width: 39, height: 9 });
    expect(createScreen({ write: () => {} })).toMatchObject({ width: 79, height: 23 });
    expect(createScreen({ write: () => {}, columns: 1, rows: 1 })).toMatchObject({ width: 20, height: 3 });
    expect(createScreen({ write: () => {}, columns: 0, rows: 0 })).toMatchObject({ width: 79, height: 23 });
  });
});
