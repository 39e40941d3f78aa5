import type { Phrases } from '../language/phrases.ts';
import type { ServeUpdate } from '../serve/service.ts';
import { createJsonLines } from '../view/json-lines.ts';
import { makeLiveTable } from '../view/live-table.ts';
import { createLiveView, updateLiveView } from '../view/live-view.ts';
import { createScreen } from '../view/screen.ts';
import type { Io } from './io.ts';

/** Shows what the recorder tells: to people as a table that is drawn again in place, to programs as lines of JSON. */
export interface Presenter {
  show(update: ServeUpdate): void;
  /** Says something to whoever reads: whole lines without the last line break. */
  say(text: string): void;
  /** Leaves the last picture where it is. */
  done(): void;
}

/** Creates a presenter: a table on a terminal, one JSON object a line anywhere else. */
export function createPresenter(io: Pick<Io, 'out'>, phrases: Phrases): Presenter {
  return io.out.isTTY === true ? createTablePresenter(io, phrases) : createJsonPresenter(io);
}

function createTablePresenter({ out }: Pick<Io, 'out'>, phrases: Phrases): Presenter {
  const view = createLiveView();
  const screen = createScreen(out);
  let done = false;
  return {
    show(update) {
      updateLiveView(view, update);
      if (!done) screen.draw(makeLiveTable(view, screen.width, screen.height, phrases));
    },
    say(text) {
      if (done) out.write(`${text}\n`);
      else screen.print(...text.split('\n'));
    },
    done() {
      done = true;
      screen.close();
    },
  };
}

function createJsonPresenter({ out }: Pick<Io, 'out'>): Presenter {
  const lines = createJsonLines();
  return {
    show(update) {
      for (const line of lines.take(update)) out.write(`${line}\n`);
    },
    say(text) {
      out.write(`${JSON.stringify({ type: 'message', text })}\n`);
    },
    done() {},
  };
}
