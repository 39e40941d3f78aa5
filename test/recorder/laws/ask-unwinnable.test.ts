/** Who can still mate, asked of a thread. */
import { afterEach, describe, expect, it } from 'vitest';
import { createUnwinnableAsker, type UnwinnableAsker } from '../../../recorder/laws/ask-unwinnable.ts';
import { startUnwinnableThread } from '../../../recorder/laws/unwinnable-thread.ts';

const WALL = '8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - - 0 1';
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** Takes far longer than a test. */
const LONG = '8/8/3b3p/5p1P/3b1p1K/5Pp1/6P1/5kb1 b - - 0 1';

let asker: UnwinnableAsker | undefined;
afterEach(() => asker?.close());

describe('an asker', () => {
  it('answers several questions, in their order', async () => {
    asker = createUnwinnableAsker(startUnwinnableThread);
    const asked = [
      asker.askUnwinnable(WALL, 'white'),
      asker.askUnwinnable(START, 'black'),
      asker.askUnwinnable('no position', 'white'),
      asker.askUnwinnable(START, 'white', { budget: 1 }),
    ];
    expect((await Promise.all(asked)).map(({ verdict }) => verdict)).toEqual([
      'unwinnable',
      'winnable',
      'undecided',
      'undecided',
    ]);
  });

  it('leaves what is open undecided when it is closed, and can be asked again', async () => {
    asker = createUnwinnableAsker(startUnwinnableThread);
    const open = asker.askUnwinnable(LONG, 'white', { budget: 900_000_000 });
    await asker.close();
    expect((await open).verdict).toBe('undecided');
    expect((await asker.askUnwinnable(WALL, 'white')).verdict).toBe('unwinnable');
  });
});
