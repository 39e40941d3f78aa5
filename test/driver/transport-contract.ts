import { filter, firstValueFrom, map, type Observable, Subject, scan, takeUntil, tap } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBoardError } from '../../core/board-error.ts';
import type { LinkEvent, Transport } from '../../driver/transport.ts';

/** What the far end of a rig does once the host has written its first byte. */
export interface Script {
  /** Chunks it sends, one after the other. */
  readonly sends?: readonly Uint8Array[];
  /** At the second byte from the host its cable is pulled. */
  readonly unplugs?: boolean;
}

/** One transport and what stands at its far end. */
export interface Rig {
  readonly transport: Transport;
  /** Everything the far end has received so far, whenever it grows; undefined for a far end that cannot listen. */
  readonly received$?: Observable<Uint8Array>;
  /** A second way to the same port; undefined where the far end takes any number of hosts. */
  readonly rival?: Transport;
  dispose(): Promise<void> | void;
}

/** The first byte a host writes; it starts the script of the far end. */
export const GO = Uint8Array.of(0x4d);

/** All byte values in order, `times` over. */
export const allBytes = (times = 1): Uint8Array =>
  Uint8Array.from({ length: 256 * times }, (_, i) => i & 255);

export const concatBytes = (chunks: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));

/** Grows with every chunk: all bytes so far. */
export const gathered = (source: Observable<Uint8Array>): Observable<Uint8Array> =>
  source.pipe(scan((all: Uint8Array, chunk) => concatBytes([all, chunk]), new Uint8Array(0)));

/** An opened link in the hands of a test. */
interface Held {
  readonly opened: Extract<LinkEvent, { type: 'opened' }>;
  readonly bytes$: Observable<Uint8Array>;
  readonly events: readonly LinkEvent[];
  /** Resolves with the error the link ends with, or "complete". */
  readonly end: Promise<unknown>;
  close(): void;
}

function hold(transport: Transport): Promise<Held> {
  const stop = new Subject<void>();
  const events: LinkEvent[] = [];
  const bytes = new Subject<Uint8Array>();
  return new Promise((resolve, reject) => {
    let settle: (value: unknown) => void;
    const end = new Promise<unknown>((done) => {
      settle = done;
    });
    transport
      .open$()
      .pipe(
        takeUntil(stop),
        tap((event) => events.push(event)),
      )
      .subscribe({
        next: (event) => {
          if (event.type === 'opened') {
            resolve({ opened: event, bytes$: gathered(bytes), events, end, close: () => stop.next() });
          } else {
            bytes.next(event.bytes);
          }
        },
        error: (error) => {
          settle(error);
          reject(error);
        },
        complete: () => settle('complete'),
      });
    onTestFinished(() => stop.next());
  });
}

const codeOf = (error: unknown): unknown => (isBoardError(error) ? error.code : error);

/**
 * What every transport promises (`driver/transport.ts`), run on one of them. `createRig` sets a far end up that
 * follows the script; `createAbsent` makes a transport to where nothing is.
 */
export function testTransport(
  name: string,
  createRig: (script: Script) => Promise<Rig | undefined> | Rig,
  createAbsent: (() => Promise<Transport> | Transport) | undefined,
): void {
  const rigFor = async (script: Script, skip: (why: string) => never): Promise<Rig> => {
    const rig = await createRig(script);
    if (rig === undefined) return skip('this system cannot set it up');
    onTestFinished(() => rig.dispose());
    return rig;
  };

  describe(name, () => {
    it('says that it is open, first and once', async ({ skip }) => {
      const rig = await rigFor({ sends: [allBytes()] }, skip);
      const link = await hold(rig.transport);
      const last = firstValueFrom(link.bytes$.pipe(filter((all) => all.length >= 256)));
      await link.opened.write(GO);
      await last;
      expect(link.events.map((event) => event.type).indexOf('opened')).toBe(0);
      expect(link.events.filter((event) => event.type === 'opened')).toHaveLength(1);
    });

    it('carries every byte value to the host untouched and in order', async ({ skip }) => {
      const sends = [allBytes(), allBytes(3), Uint8Array.of(0), allBytes()];
      const rig = await rigFor({ sends }, skip);
      const link = await hold(rig.transport);
      const expected = concatBytes(sends);
      const whole = firstValueFrom(link.bytes$.pipe(filter((all) => all.length >= expected.length)));
      await link.opened.write(GO);
      expect(await whole).toEqual(expected);
    });

    it('carries every byte value to the board untouched and in the order of the calls', async ({ skip }) => {
      const rig = await rigFor({}, skip);
      const { received$ } = rig;
      if (received$ === undefined) return skip('its far end cannot listen');
      const expected = concatBytes([GO, allBytes(), Uint8Array.of(1), allBytes(3)]);
      const whole = firstValueFrom(received$.pipe(filter((all) => all.length >= expected.length)));
      const link = await hold(rig.transport);
      await Promise.all(
        [GO, allBytes(), Uint8Array.of(1), allBytes(3)].map((bytes) => link.opened.write(bytes)),
      );
      expect(await whole).toEqual(expected);
    });

    it('stamps what arrives with times that never fall', async ({ skip }) => {
      const rig = await rigFor({ sends: [allBytes(), allBytes(), allBytes()] }, skip);
      const link = await hold(rig.transport);
      const last = firstValueFrom(link.bytes$.pipe(filter((all) => all.length >= 768)));
      await link.opened.write(GO);
      await last;
      const times = link.events.map((event) => event.atMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.every(Number.isInteger)).toBe(true);
    });

    it('ends with LINK_GONE when the cable is pulled, and what came before has been heard', async ({
      skip,
    }) => {
      const rig = await rigFor({ sends: [allBytes()], unplugs: true }, skip);
      const link = await hold(rig.transport);
      const whole = firstValueFrom(link.bytes$.pipe(filter((all) => all.length >= 256)));
      await link.opened.write(GO);
      expect(await whole).toEqual(allBytes());
      await link.opened.write(GO);
      expect(codeOf(await link.end)).toBe('LINK_GONE');
    });

    it('ends with LINK_GONE when the cable is pulled while bytes are still on the way', async ({ skip }) => {
      const rig = await rigFor({ sends: [allBytes(20)], unplugs: true }, skip);
      const link = await hold(rig.transport);
      await Promise.all([link.opened.write(GO), link.opened.write(GO)]);
      expect(codeOf(await link.end)).toBe('LINK_GONE');
      const heard = concatBytes(link.events.flatMap((e) => (e.type === 'bytes' ? [e.bytes] : [])));
      expect(heard).toEqual(allBytes(20).subarray(0, heard.length));
    });

    it('refuses to write with LINK_GONE once the link has ended', async ({ skip }) => {
      const rig = await rigFor({ unplugs: true }, skip);
      if (rig.received$ === undefined) return skip('its far end takes everything');
      const link = await hold(rig.transport);
      await Promise.all([link.opened.write(GO), link.opened.write(GO)]);
      await link.end;
      expect(codeOf(await link.opened.write(GO).catch((error: unknown) => error))).toBe('LINK_GONE');
    });

    it('can be opened again at once after it was closed', async ({ skip }) => {
      const rig = await rigFor({ sends: [allBytes()] }, skip);
      const first = await hold(rig.transport);
      first.close();
      const second = await hold(rig.transport);
      const whole = firstValueFrom(second.bytes$.pipe(filter((all) => all.length >= 256)));
      await second.opened.write(GO);
      expect(await whole).toEqual(allBytes());
      expect(first.events).toHaveLength(1);
    });

    it('opens nothing that was unsubscribed from before it was open', async ({ skip }) => {
      const rig = await rigFor({}, skip);
      const events: LinkEvent[] = [];
      rig.transport
        .open$()
        .subscribe((event) => events.push(event))
        .unsubscribe();
      const link = await hold(rig.transport);
      expect(link.opened.type).toBe('opened');
      expect(events).toEqual([]);
    });

    it('is LINK_BUSY for a second host', async ({ skip }) => {
      const rig = await rigFor({}, skip);
      const { rival } = rig;
      if (rival === undefined) return skip('any number of hosts may read it');
      await hold(rig.transport);
      const error = await hold(rival).catch((e: unknown) => e);
      expect(codeOf(error)).toBe('LINK_BUSY');
    });

    it('is LINK_GONE where nothing is', async ({ skip }) => {
      if (createAbsent === undefined) return skip('it is always there');
      const absent = await createAbsent();
      const code = await firstValueFrom(absent.open$().pipe(map((event) => event.type))).catch(codeOf);
      expect(code).toBe('LINK_GONE');
    });
  });
}
