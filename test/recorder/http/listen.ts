import type { Observable } from 'rxjs';
import { filter } from 'rxjs';
import type { Listening } from '../../../recorder/http/serve-app.ts';

/** A server that listens until `stop`. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly stop: () => void;
}

/** Subscribes to a server and waits until it listens; rejects when it cannot. */
export const listen = (server$: Observable<Listening | { readonly type: string }>): Promise<RunningServer> =>
  new Promise((resolve, reject) => {
    const subscription = server$
      .pipe(filter((notice): notice is Listening => notice.type === 'listening'))
      .subscribe({
        next: ({ url, port }) => resolve({ url, port, stop: () => subscription.unsubscribe() }),
        error: reject,
        complete: () => reject(new Error('ended before it listened')),
      });
  });
