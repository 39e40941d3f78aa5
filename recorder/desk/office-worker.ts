/** What runs in the thread of `ask-office.ts`: answers questions one after the other. */
import { parentPort } from 'node:worker_threads';
import { type FaultCode, type FaultContext, isBoardError } from '../../core/board-error.ts';
import { answerQuestion, type OfficeQuestion } from './office.ts';

export interface OfficeMessage {
  readonly id: number;
  readonly file: string;
  readonly question: OfficeQuestion;
}

export type OfficeReply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly code: FaultCode; readonly context: FaultContext }
  /** A mistake of ours. */
  | { readonly id: number; readonly failure: string };

parentPort?.on('message', ({ id, file, question }: OfficeMessage) => {
  let reply: OfficeReply;
  try {
    reply = { id, answer: answerQuestion(file, question) };
  } catch (error) {
    reply = isBoardError(error)
      ? { id, code: error.code, context: error.context }
      : { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(reply);
});
