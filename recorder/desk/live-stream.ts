import type { ServerResponse } from 'node:http';
import type { Hall } from './hall.ts';
import type { LiveChanges, LiveSnapshot, Notice } from './model/desk-api.ts';

/** What a viewer may leave unread before it is sent away; it comes back by itself and gets everything anew, bytes. */
const MOST_UNREAD = 1024 * 1024;
/** Failures that are told; the newest last. */
const MOST_NOTICES = 20;

export interface LiveStreamOptions {
  readonly hall: Hall;
  readonly boot: string;
  readonly nowMs: () => number;
  readonly speed: number;
  /** Viewers there may be at once. */
  readonly mostViewers?: number;
}

/** All who watch: each message is made once, whoever many they are (server-sent events). */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #viewers = new Set<ServerResponse>();
  #seq = 0;
  #notices: Notice[] = [];
  #areNoticesNew = false;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get isFull(): boolean {
    return this.#viewers.size >= (this.#options.mostViewers ?? 500);
  }

  /** Begins to tell a viewer: first everything, then what changes. Headers have been sent. */
  attach(response: ServerResponse): void {
    // What is new for all must not come twice for this one.
    this.tell();
    response.write(`retry: 1000\n${frame('snapshot', this.snapshot(), this.#seq)}`);
    this.#viewers.add(response);
    response.on('close', () => this.#viewers.delete(response));
    response.on('error', () => this.#viewers.delete(response));
  }

  snapshot(): LiveSnapshot {
    const { hall, boot, nowMs, speed } = this.#options;
    return { seq: this.#seq, boot, nowMs: nowMs(), speed, rows: hall.rows(), notices: this.#notices };
  }

  notice(notice: Notice): void {
    this.#notices = [...this.#notices, notice].slice(-MOST_NOTICES);
    this.#areNoticesNew = true;
  }

  /** Tells all viewers what has changed since the last time; returns the length of what each was sent. */
  tell(): number {
    const rows = this.#options.hall.changes();
    if (rows.length === 0 && !this.#areNoticesNew) return 0;
    const changes: LiveChanges = {
      seq: ++this.#seq,
      nowMs: this.#options.nowMs(),
      ...(rows.length > 0 && { rows }),
      ...(this.#areNoticesNew && { notices: this.#notices }),
    };
    this.#areNoticesNew = false;
    if (this.#viewers.size === 0) return 0;
    const text = Buffer.from(frame('changes', changes, this.#seq));
    this.#send(text);
    return text.length;
  }

  /** Keeps connections open through whatever stands between, and lets a page know that it hears. */
  beat(): void {
    this.#send(Buffer.from(frame('beat', { seq: this.#seq, nowMs: this.#options.nowMs() }, this.#seq)));
  }

  #send(text: Buffer): void {
    for (const viewer of this.#viewers) {
      if (viewer.writableLength > MOST_UNREAD) {
        this.#viewers.delete(viewer);
        viewer.destroy();
      } else viewer.write(text);
    }
  }

  close(): void {
    for (const viewer of this.#viewers) viewer.end();
    this.#viewers.clear();
  }
}

/** One server-sent event; JSON has no line breaks. */
const frame = (event: string, data: unknown, id: number): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
