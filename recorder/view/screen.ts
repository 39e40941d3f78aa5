/** Where a screen is drawn: a terminal. */
export interface Terminal {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Lines that are drawn again in the same place. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  /** Replaces what was drawn before; lines must not be wider than `width`. */
  draw(lines: readonly string[]): void;
  /** Prints lines above, where they stay. */
  print(...lines: readonly string[]): void;
  /** Leaves what is drawn and gives the cursor back. */
  close(): void;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/** Creates a screen on a terminal. It takes as many lines as are drawn and leaves all above them alone. */
export function createScreen(terminal: Terminal): Screen {
  let drawn: readonly string[] = [];
  let hidden = false;
  const home = (): string => (drawn.length === 0 ? '' : `\x1b[${drawn.length}A\r`);
  const paint = (lines: readonly string[]): string => lines.map((line) => `${line}${CLEAR_LINE}\n`).join('');
  return {
    get width() {
      // The last column is left free: some terminals wrap when it is written to.
      // A terminal on a serial line may say that it is 0 wide: it does not know.
      return Math.max(20, (terminal.columns || 80) - 1);
    },
    get height() {
      return Math.max(3, (terminal.rows || 24) - 1);
    },
    draw(lines) {
      if (lines.length === drawn.length && lines.every((line, i) => line === drawn[i])) return;
      terminal.write(`${hidden ? '' : HIDE_CURSOR}${home()}${paint(lines)}${CLEAR_BELOW}`);
      hidden = true;
      drawn = [...lines];
    },
    print(...lines) {
      terminal.write(`${home()}${paint(lines)}${paint(drawn)}${CLEAR_BELOW}`);
    },
    close() {
      if (hidden) terminal.write(SHOW_CURSOR);
      hidden = false;
      drawn = [];
    },
  };
}
