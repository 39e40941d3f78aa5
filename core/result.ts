/** An expected failure: a code for programs, words for people, and the cause. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** Either a value or an expected failure; nothing that comes from outside throws. */
export type Result<T, F = Fault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const fail = (code: string, message: string): Result<never> => ({
  ok: false,
  fault: { code, message },
});
