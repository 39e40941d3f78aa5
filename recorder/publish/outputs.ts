/** How outputs stand: what of the settings each is, what it has sent last, what stands in its way. Follows what services tell; pure. */
import type { OutputConfig } from '../config/config.ts';
import type { Notice } from '../serve/service.ts';

/** One output as people see it. */
export interface OutputState {
  /** As in notices; two with the same name stand as one. */
  readonly name: string;
  readonly type: OutputConfig['type'];
  readonly isEnabled: boolean;
  readonly delaySeconds: number;
  readonly delayPlies: number;
  /** Files, rounds or commands since the start; a server of pages is asked and sends nothing by itself. */
  readonly sent: number;
  /** Wall clock, ms. */
  readonly lastSentAtMs?: number;
  readonly lastTarget?: string;
  /** What stands in its way now; it tries again unless `isLost`. */
  readonly fault?: {
    readonly code: string;
    readonly message: string;
    readonly cure: string;
    readonly sinceMs: number;
    readonly isLost: boolean;
  };
}

/** Keeps the state of all outputs; `services`: names of the services under which they tell. */
export class OutputStates {
  #outputs: OutputState[] = [];
  readonly #serviceOf: (name: string) => string;
  readonly #nameOf: (output: OutputConfig) => string;

  constructor(nameOf: (output: OutputConfig) => string, serviceOf: (name: string) => string) {
    this.#nameOf = nameOf;
    this.#serviceOf = serviceOf;
  }

  /** The settings are these from now on; what is known of outputs that stay is kept. */
  setUp(outputs: readonly OutputConfig[]): void {
    this.#outputs = outputs.map((output) => {
      const name = this.#nameOf(output);
      const { type, enabled, delaySeconds, delayPlies } = output;
      const known = this.#outputs.find((one) => one.name === name && one.type === type);
      return { ...(known ?? { sent: 0 }), name, type, isEnabled: enabled, delaySeconds, delayPlies };
    });
  }

  take(notice: Notice, nowMs: number): void {
    if (notice.type === 'notice') return;
    this.#outputs = this.#outputs.map((output) => {
      if (notice.type === 'sent') {
        if (notice.service !== this.#serviceOf(output.name)) return output;
        const { fault: _, ...others } = output;
        return { ...others, sent: output.sent + 1, lastSentAtMs: nowMs, lastTarget: notice.target };
      }
      if (notice.service !== this.#serviceOf(output.name)) return output;
      const { fault, cure, lost } = notice;
      // The same refusal again goes on since it began.
      const sinceMs = output.fault?.code === fault.code ? output.fault.sinceMs : nowMs;
      return { ...output, fault: { code: fault.code, message: fault.message, cure, sinceMs, isLost: lost } };
    });
  }

  states(): readonly OutputState[] {
    return this.#outputs;
  }
}
