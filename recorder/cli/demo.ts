import { take } from 'rxjs';
import { z } from 'zod';
import { runDemo } from '../demo/demo.ts';
import { parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { createPresenter } from './present.ts';

const DEMO = z.object({
  speed: z.coerce
    .number('is no number')
    .min(1, 'must be 1 or more')
    .max(100, 'must be 100 or less')
    .optional(),
  dir: z.string().min(1).optional(),
});

/** Runs the demo with the table or the JSON lines that `record` shows; Ctrl-C ends it early. */
export async function runDemoCommand(options: unknown, io: Io): Promise<number> {
  const { speed, dir } = parseOptions(DEMO, options);
  return runDemo(
    {
      stop$: io.interrupt$.pipe(take(1)),
      ...(speed !== undefined && { speed }),
      ...(dir !== undefined && { dir }),
    },
    createPresenter(io),
  );
}
