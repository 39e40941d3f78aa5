/** A board with a serial port over classic Bluetooth: a channel of its controller, and the port that the host binds to it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { fromEvent, map, Subject, share, takeUntil } from 'rxjs';
import type { DeviceEnd } from '../../../driver/transport.ts';
import type { Cable } from './cable.ts';

/** Node knows no Bluetooth sockets. The channel of the one before may take a moment to be free. A blank line says that it listens; then all bytes pass both ways, for one host at a time. */
const LISTENER = `
import os, select, socket, sys, time
server = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_STREAM, socket.BTPROTO_RFCOMM)
while True:
    try:
        server.bind((sys.argv[1], 1))
        break
    except OSError: time.sleep(0.1)
server.listen(1)
os.write(1, b'\\n')
host = None
while True:
    ready, _, _ = select.select([0, host or server], [], [])
    if 0 in ready:
        bytes = os.read(0, 4096)
        if not bytes: break
        try:
            if host: host.sendall(bytes)
        except OSError: host = None
    if host in ready:
        try: bytes = host.recv(4096)
        except OSError: bytes = b''
        if bytes: os.write(1, bytes)
        else: host = None
    elif server in ready: host, _ = server.accept()
`;

const addressOf = (hci: number): string =>
  /BD Address: (\S+)/.exec(execFileSync('hciconfig', [`hci${hci}`]).toString())![1]!;

/**
 * A board on controller `board`, bound as /dev/rfcomm0 through controller `host`. Unplugged, it is switched off: its channel is
 * closed, and whoever calls is refused. (Out of reach without a word, as by `hcitool dc`, is more than the serial ports of
 * Linux 6.1 bear: the kernel stops at list_del corruption in hci_chan_del.)
 */
export function createRfcommCable(board: number, host: number): Cable {
  const mine = addressOf(board);
  let listener: ChildProcess | undefined;
  let isBound = false;
  return {
    plug: async () => {
      execFileSync('hciconfig', [`hci${board}`, 'piscan']);
      const child = spawn('/usr/bin/python3', ['-c', LISTENER, mine], { stdio: ['pipe', 'pipe', 'ignore'] });
      listener = child;
      child.stdin.on('error', () => {
        // It has been ended: nobody takes it.
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      if (!isBound) execFileSync('rfcomm', ['-i', `hci${host}`, 'bind', '0', mine, '1']);
      isBound = true;
      const closed = new Subject<void>();
      const device: DeviceEnd = {
        address: { type: 'memory', name: mine },
        bytes$: fromEvent<Buffer>(child.stdout, 'data').pipe(
          map((bytes) => Uint8Array.from(bytes)),
          takeUntil(closed),
          share(),
        ),
        write: (bytes) => void child.stdin.write(bytes),
        close: async () => closed.next(),
      };
      return device;
    },
    unplug: async () => {
      const ended = new Promise((resolve) => listener?.once('exit', resolve));
      listener?.kill('SIGKILL');
      await ended;
    },
  };
}
