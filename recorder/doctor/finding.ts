/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  /** `note`: worth knowing, needs nothing. `fix`: stands in the way. */
  readonly state: 'fine' | 'note' | 'fix';
  readonly text: string;
  readonly cure?: string;
}

export const fine = (check: string, text: string): Finding => ({ check, state: 'fine', text });
export const note = (check: string, text: string, cure?: string): Finding => ({
  check,
  state: 'note',
  text,
  ...(cure !== undefined && { cure }),
});
export const fix = (check: string, text: string, cure: string): Finding => ({
  check,
  state: 'fix',
  text,
  cure,
});
