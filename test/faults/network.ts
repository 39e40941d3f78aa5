/** A network namespace with two cables into it, as an edge has one to its boards and one to the rest of the event. */
import { spawnSync } from 'node:child_process';

export interface Hall {
  /** Command that runs a program in it. */
  readonly within: readonly string[];
  /** Address of this side, for the boards. */
  readonly boards: string;
  /** Address of this side, for the server. */
  readonly server: string;
  /** Cuts or mends the cable to the server. */
  link(state: 'up' | 'down'): void;
  remove(): void;
}

function ip(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/** Makes one, the `index`th of this process; undefined where this is not allowed. The addresses are of the block for benchmarks (RFC 2544), which nobody routes. */
export function makeHall(index = 0): Hall | undefined {
  const name = `jadoube-${process.pid}-${index}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return undefined;
  const ends = ['b', 's'].map((letter) => `jd${letter}${process.pid}-${index}`);
  const remove = (): void => {
    for (const end of ends) spawnSync('ip', ['link', 'del', end]);
    spawnSync('ip', ['netns', 'del', name]);
  };
  const net = 16 * ((process.pid + 1009 * index) % 4096);
  const base = `198.${18 + (net >> 15)}.${(net >> 8) & 127}`;
  const low = net & 0xf0;
  try {
    ends.forEach((end, i) => {
      const inside = `in${i}`;
      ip('link', 'add', end, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
      ip('addr', 'add', `${base}.${low + 4 * i + 1}/30`, 'dev', end);
      ip('link', 'set', end, 'up');
      ip('-n', name, 'addr', 'add', `${base}.${low + 4 * i + 2}/30`, 'dev', inside);
      ip('-n', name, 'link', 'set', inside, 'up');
    });
    ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch {
    remove();
    return undefined;
  }
  return {
    within: ['ip', 'netns', 'exec', name],
    boards: `${base}.${low + 1}`,
    server: `${base}.${low + 5}`,
    link: (state) => ip('link', 'set', ends[1]!, state),
    remove,
  };
}
