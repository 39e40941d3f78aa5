import {
  asapScheduler,
  defer,
  firstValueFrom,
  lastValueFrom,
  NEVER,
  Observable,
  of,
  ReplaySubject,
  skip,
  takeWhile,
  tap,
} from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createTransport } from '../../driver/create-transport.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import type { DeviceEnd, LinkEvent } from '../../driver/transport.ts';
import { createTcpTransport, TCP_CONNECT_MS } from '../../driver/transports/tcp.ts';

const clock = createSystemClock();

async function listen(): Promise<DeviceEnd & { received$: ReplaySubject<Uint8Array> }> {
  const device = await createLoopbackDevice();
  const received$ = new ReplaySubject<Uint8Array>();
  device.bytes$.subscribe(received$);
  onTestFinished(() => device.close());
  return { ...device, received$ };
}

describe('a TCP link', () => {
  it('that nobody answers within the time is LINK_GONE', async () => {
    const device = await listen();
    const waits: number[] = [];
    const { address } = device;
    if (address.type !== 'tcp') throw new TypeError('a TCP device');
    const impatient = {
      ...clock,
      timer$: (delayMs: number) => {
        waits.push(delayMs);
        return of(0 as const, asapScheduler);
      },
    };
    const error = await firstValueFrom(
      createTcpTransport(address.host, address.port, impatient).open$(),
    ).catch((e: unknown) => e);
    expect(isBoardError(error, 'LINK_GONE')).toBe(true);
    expect(waits).toEqual([TCP_CONNECT_MS]);
  });

  it('that is open is not given up because the time to open it is over', async () => {
    const device = await listen();
    let waiting = 0;
    const wait$ = new Observable<0>(() => {
      waiting += 1;
      return () => {
        waiting -= 1;
      };
    });
    const watched = { ...clock, timer$: () => wait$ };
    const { address } = device;
    if (address.type !== 'tcp') throw new TypeError('a TCP device');
    const link = createTcpTransport(address.host, address.port, watched).open$();
    const opened = new ReplaySubject<LinkEvent>();
    const listening = link.subscribe(opened);
    onTestFinished(() => listening.unsubscribe());
    await firstValueFrom(opened);
    expect(waiting).toBe(0);
  });

  it('that is flooded is read no faster than a line is, and loses nothing', async () => {
    const device = await listen();
    const { address } = device;
    if (address.type !== 'tcp') throw new TypeError('a TCP device');
    // Time passes by what is waited for only.
    let nowMs = 0;
    const waiting = {
      ...clock,
      monotonicMs: () => nowMs,
      timer$: (delayMs: number) =>
        delayMs === TCP_CONNECT_MS
          ? NEVER
          : defer(() => {
              nowMs += delayMs;
              return of(0 as const, asapScheduler);
            }),
    };
    const flood = Buffer.alloc(400_000, 'jadoube');
    const read: Uint8Array[] = [];
    const length = (): number => read.reduce((sum, bytes) => sum + bytes.length, 0);
    await lastValueFrom(
      createTcpTransport(address.host, address.port, waiting)
        .open$()
        .pipe(
          tap((event) => {
            if (event.type === 'opened') device.write(flood);
            else if (event.type === 'bytes') read.push(event.bytes);
          }),
          takeWhile(() => length() < flood.length),
        ),
      { defaultValue: undefined },
    );
    expect(Buffer.concat(read).equals(flood)).toBe(true);
    expect(Math.max(...read.map((bytes) => bytes.length))).toBeLessThanOrEqual(4096);
    expect(nowMs).toBeGreaterThan(((400_000 - 20_480) / 11_520) * 1000);
  });

  it('waits, open and unheard, while its server serves another host', async () => {
    const device = await listen();
    const first = new ReplaySubject<LinkEvent>();
    const second = new ReplaySubject<LinkEvent>();
    const open = () => createTransport(device.address, {}, clock).open$();
    const serving = open().subscribe(first);
    const one = await firstValueFrom(first);
    const waiting = open().subscribe(second);
    onTestFinished(() => waiting.unsubscribe());
    const two = await firstValueFrom(second);
    if (one.type !== 'opened' || two.type !== 'opened') throw new TypeError('a link opens first');
    await two.write(Uint8Array.of(2));
    await one.write(Uint8Array.of(1));
    expect([...(await firstValueFrom(device.received$))]).toEqual([1]);
    serving.unsubscribe();
    const next = await firstValueFrom(device.received$.pipe(skip(1)));
    expect([...next]).toEqual([2]);
  });
});
