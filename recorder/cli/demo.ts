import { take } from 'rxjs';
import { z } from 'zod';
import { runDemo } from '../demo/demo.ts';
import { runDeskDemo } from '../demo/desk-demo.ts';
import { findPage } from '../desk/page-files.ts';
import { LANG, parseOptions, phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';
import { createPresenter } from './present.ts';

const DEMO = z.object({
  speed: z.coerce
    .number('is no number')
    .min(1, 'must be 1 or more')
    .max(100, 'must be 100 or less')
    .optional(),
  boards: z.coerce
    .number('is no number')
    .int('must be whole')
    .min(1, 'must be 1 or more')
    .max(16, 'must be 16 or less')
    .optional(),
  seed: z.coerce
    .number('is no number')
    .int('must be whole')
    .min(1, 'must be 1 or more')
    .max(1_000_000, 'must be 1000000 or less')
    .optional(),
  desk: z.boolean().optional(),
  port: z.coerce
    .number('is no number')
    .int('must be whole')
    .min(0, 'must be 0 or more')
    .max(65_535, 'must be 65535 or less')
    .optional(),
  dir: z.string().min(1).optional(),
  lang: LANG,
});

/** Runs the demo with the table or the JSON lines that `record` shows; Ctrl-C ends it early. */
export async function runDemoCommand(options: unknown, io: Io): Promise<number> {
  const { speed, boards, seed, desk, port, dir, lang } = parseOptions(DEMO, options);
  if (desk === true) {
    const presenter = createPresenter(io, phrasesFor(lang, io));
    return runDeskDemo(
      {
        pageDir: await findPage(),
        stop$: io.interrupt$.pipe(take(1)),
        ...(speed !== undefined && { speed }),
        ...(port !== undefined && { port }),
        ...(dir !== undefined && { dir }),
      },
      presenter,
    );
  }
  return runDemo(
    {
      stop$: io.interrupt$.pipe(take(1)),
      ...(speed !== undefined && { speed }),
      ...(boards !== undefined && { boards }),
      ...(seed !== undefined && { seed }),
      ...(dir !== undefined && { dir }),
    },
    createPresenter(io, phrasesFor(lang, io)),
  );
}
