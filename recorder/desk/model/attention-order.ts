import { SEVERITIES } from '../../../core/flag.ts';
import type { Attention } from './hall-row.ts';

/** The gravest first, the oldest of equals first. */
export const compareAttention = (a: Attention, b: Attention): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
  a.sinceMs - b.sinceMs ||
  (a.key < b.key ? -1 : 1);
