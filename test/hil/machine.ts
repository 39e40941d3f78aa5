/**
 * A small virtual machine with real kernel devices: USB gadgets over `dummy_hcd`, HID, serial ports, Bluetooth controllers.
 * It is emulated (no KVM), sees this machine's files read-only under a layer of memory, and runs one command. Debian
 * packages and a Debian kernel; root, because of apt and the files of others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Programs that are needed, and the packages that have them. */
const PROGRAMS: readonly (readonly [path: string, debianPackage: string])[] = [
  ['/usr/bin/qemu-system-x86_64', 'qemu-system-x86'],
  ['/usr/bin/cpio', 'cpio'],
  ['/sbin/depmod', 'kmod'],
  ['/bin/busybox', 'busybox-static'],
  ['/usr/bin/btvirt', 'bluez-test-tools'],
  ['/usr/bin/hciconfig', 'bluez'],
  ['/usr/bin/python3', 'python3'],
  ['/usr/bin/dbus-daemon', 'dbus'],
];

/** Kernel modules, with what is said to them; what they depend on goes in before them. */
const MODULES: readonly string[] = [
  ...['virtio_pci', '9pnet_virtio', '9p', 'overlay'],
  ...['usbhid', 'hid-generic', 'dummy_hcd num=2', 'libcomposite', 'usb_f_hid', 'usb_f_acm', 'cdc-acm'],
  ...['hci_vhci', 'rfcomm', 'af_alg', 'algif_hash', 'algif_skcipher', 'cmac', 'ecb'],
];

/** Why the machine cannot be had here. */
export class NoMachine extends Error {}

/** Longest time for a step of the preparation, ms: a mirror that does not answer must not hold a landing. */
const STEP_MS = 120_000;

const run = (program: string, args: readonly string[], options: { cwd?: string } = {}) =>
  spawnSync(program, args, { maxBuffer: 1 << 28, timeout: STEP_MS, killSignal: 'SIGKILL', ...options });

/** Sees to the programs; installs Debian packages where that is possible. */
function needPrograms(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new NoMachine('it needs Linux on x86-64');
  const missing = PROGRAMS.filter(([path]) => !existsSync(path)).map(([, name]) => name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new NoMachine(`it needs the Debian packages ${missing.join(', ')}, and root to install them`);
  run('apt-get', ['update', '-q']);
  const installed = run('apt-get', ['install', '-qy', '--no-install-recommends', ...missing]);
  if (installed.status !== 0) throw new NoMachine(`the packages ${missing.join(', ')} cannot be installed`);
}

/** Files of the machine, made once and kept: kernel, and a first file system with the modules. */
function buildFiles(): { kernel: string; initrd: string } {
  // Whoever changes what is in it gets a new one; a fresh copy of the repository does not.
  const version = createHash('sha256')
    .update([INIT, ...MODULES].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'jadoube-hil', version);
  const [kernel, initrd] = [join(cache, 'vmlinuz'), join(cache, 'initrd.gz')];
  if (existsSync(kernel) && existsSync(initrd)) return { kernel, initrd };
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'jadoube-hil-'));
  try {
    const root = unpackKernel(work);
    const [release = ''] = readdirSync(join(root, 'lib/modules'));
    run('depmod', ['-b', root, release]);
    const boot = readdirSync(join(root, 'boot')).find((name) => name.startsWith('vmlinuz'));
    if (boot === undefined) throw new NoMachine('the kernel package holds no kernel');
    copyFileSync(join(root, 'boot', boot), kernel);
    const first = join(work, 'first');
    for (const folder of ['bin', 'modules', 'proc', 'sys', 'dev', 'host', 'layer', 'new'])
      mkdirSync(join(first, folder), { recursive: true });
    copyFileSync('/bin/busybox', join(first, 'bin/busybox'));
    writeFileSync(
      join(first, 'init'),
      INIT.replace('MODULES', copyModules(root, release, join(first, 'modules'))),
    );
    chmodSync(join(first, 'init'), 0o755);
    const whole = join(cache, `initrd.${process.pid}`);
    const packed = run('sh', ['-c', `find . | cpio -o -H newc 2>/dev/null | gzip -1 > "$0"`, whole], {
      cwd: first,
    });
    if (packed.status !== 0) throw new NoMachine('the first file system cannot be packed');
    // The last file to come, and whole: whoever sees it sees everything.
    renameSync(whole, initrd);
    return { kernel, initrd };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function unpackKernel(work: string): string {
  run('apt-get', ['update', '-q']);
  const depends = run('apt-cache', ['depends', 'linux-image-amd64']).stdout?.toString() ?? '';
  const name = /Depends: (linux-image-\d\S*)/.exec(depends)?.[1];
  if (name === undefined) throw new NoMachine('apt knows no Debian kernel');
  run('apt-get', ['download', '-q', name], { cwd: work });
  const file = readdirSync(work).find((one) => one.endsWith('.deb'));
  if (file === undefined) throw new NoMachine(`the package ${name} cannot be fetched`);
  run('dpkg-deb', ['-x', join(work, file), join(work, 'kernel')]);
  return join(work, 'kernel');
}

/** Copies the modules and returns the lines that load them, each after all it depends on. */
function copyModules(root: string, release: string, to: string): string {
  const folder = join(root, 'lib/modules', release);
  const depends = readFileSync(join(folder, 'modules.dep'), 'utf8').split('\n');
  const lines: string[] = [];
  const taken = new Set<string>();
  for (const wanted of MODULES) {
    const [name = '', ...parameters] = wanted.split(' ');
    const pattern = new RegExp(`/${name.replace(/[-_]/g, '[-_]')}\\.ko(?:\\.xz)?:`);
    const line = depends.find((one) => pattern.test(one));
    // Built into the kernel.
    if (line === undefined) continue;
    const [own = '', others = ''] = line.split(':');
    for (const path of [...others.trim().split(' ').reverse(), own]) {
      if (path === '' || taken.has(path)) continue;
      taken.add(path);
      copyFileSync(join(folder, path), join(to, basename(path)));
      lines.push(`insmod /modules/${basename(path)} ${path === own ? parameters.join(' ') : ''} 2>/dev/null`);
    }
  }
  return lines.join('\n');
}

const INIT = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
MODULES
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 host /host
mount -t tmpfs memory /layer
mkdir /layer/upper /layer/work
mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/work overlay /new
for place in dev proc sys; do mount --move /$place /new/$place; done
mkdir -p /new/dev/pts /new/dev/shm /new/hil-out
mount -t devpts devpts /new/dev/pts
mount -t tmpfs memory /new/dev/shm
mount -t configfs none /new/sys/kernel/config
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 out /new/hil-out
ip link set lo up
chroot /new /bin/sh /hil-out/command
sync
poweroff -f
`;

export interface MachineRun {
  /** Exit status of the command; undefined when the machine stopped before it. */
  readonly status: number | undefined;
  /** Whether it was switched off because its time was over. */
  readonly isCutOff: boolean;
  /** What was shown on the machine's screen, and what the emulator had to say. */
  readonly screen: string;
}

/** Sees to programs and files of the machine; throws `NoMachine` where there is none to be had. */
export function prepareMachine(): { kernel: string; initrd: string } {
  needPrograms();
  return buildFiles();
}

/**
 * Runs a shell command in the machine, in the folder `cwd`. What it writes to /hil-out is in the folder `out`
 * afterwards. A machine that runs longer than `limitMs` is switched off.
 */
export function runInMachine(
  command: string,
  options: { kernel: string; initrd: string; cwd: string; out: string; limitMs: number },
): Promise<MachineRun> {
  const { kernel, initrd, cwd, out, limitMs } = options;
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [
    'export PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8',
    `export PATH=${quoted(join(process.execPath, '..'))}:$PATH`,
    `cd ${quoted(cwd)}`,
    `( ${command} ) </dev/null`,
    'echo $? > /hil-out/status',
  ];
  writeFileSync(join(out, 'command'), `${lines.join('\n')}\n`);
  const share = (id: string, path: string, more: string): string[] => [
    ...['-fsdev', `local,id=${id},path=${path},security_model=none,multidevs=remap${more}`],
    ...['-device', `virtio-9p-pci,fsdev=${id},mount_tag=${id}`],
  ];
  const machine = spawn(
    'qemu-system-x86_64',
    [
      // An older processor: what newer ones do at once is slow to emulate.
      ...['-accel', 'tcg,thread=multi', '-cpu', 'Nehalem', '-m', '1500', '-smp', '2'],
      ...['-nographic', '-no-reboot', '-nic', 'none', '-kernel', kernel, '-initrd', initrd],
      ...['-append', 'console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off nokaslr'],
      ...share('host', '/', ',readonly=on'),
      ...share('out', out, ''),
    ],
    { timeout: limitMs, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let screen = '';
  machine.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  machine.stderr.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    machine.once('error', reject);
    machine.once('close', (_, signal) => {
      const file = join(out, 'status');
      const status = existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : undefined;
      resolve({ status, isCutOff: signal === 'SIGKILL', screen });
    });
  });
}
