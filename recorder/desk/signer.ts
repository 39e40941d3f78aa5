import { z } from 'zod';

/** The name of whoever decides, as it stands in the log, in the audit and on paper: one line, without control characters. */
export const SIGNER = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}]*$/u);
