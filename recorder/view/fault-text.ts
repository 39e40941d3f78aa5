import { type BoardError, cureOf, FAULTS, isFaultCode } from '../../core/board-error.ts';
import type { Fault } from '../../core/result.ts';
import { plainText } from './display-text.ts';

/** A coded failure as text: the code with what it concerns, and the cure on a line of its own. */
export const makeErrorText = (error: BoardError): string =>
  `${plainText(error.message)}\n  ${plainText(error.cure)}\n`;

/** A failure that is known by its code only, as text; a cure that needs its context is in the message already. */
export function makeFaultText({ code, message }: Fault): string {
  const text = plainText(message.startsWith(code) ? message : `${code}: ${message}`);
  const hasCure = isFaultCode(code) && !FAULTS[code].cure.includes('{');
  return hasCure ? `${text}\n  ${plainText(cureOf(code))}\n` : `${text}\n`;
}
