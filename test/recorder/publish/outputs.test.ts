import { describe, expect, it } from 'vitest';
import { OUTPUT } from '../../../recorder/config/config.ts';
import { OutputStates } from '../../../recorder/publish/outputs.ts';
import { nameOfOutput, PUBLISH } from '../../../recorder/publish/publish-service.ts';
import type { Notice } from '../../../recorder/serve/service.ts';

const output = (said: Record<string, unknown>) => OUTPUT.parse(said);
const fault = (name: string, code: 'DISK_FULL' | 'UPLOAD_FAILED', lost = false): Notice =>
  ({
    type: 'fault',
    service: `${PUBLISH} ${name}`,
    fault: { code, message: 'no', context: {} },
    cure: 'mend it',
    lost,
  }) as unknown as Notice;
const sent = (name: string, target = 'x'): Notice => ({
  type: 'sent',
  service: `${PUBLISH} ${name}`,
  target,
});
const create = () => new OutputStates(nameOfOutput, (name) => `${PUBLISH} ${name}`);

describe('the state of outputs', () => {
  it('tells delays, what was sent last, and what stands in the way until it no longer does', () => {
    const states = create();
    states.setUp([
      output({ type: 'folder', dir: '/a', delaySeconds: 900, delayPlies: 4 }),
      output({ type: 'http', name: 'site', enabled: false }),
    ]);
    expect(states.states()).toMatchObject([
      { name: '/a', type: 'folder', isEnabled: true, delaySeconds: 900, delayPlies: 4, sent: 0 },
      { name: 'site', type: 'http', isEnabled: false },
    ]);
    states.take(sent('/a', '/a/round-1/games.pgn'), 1000);
    states.take(fault('/a', 'UPLOAD_FAILED'), 2000);
    states.take(fault('/a', 'UPLOAD_FAILED'), 3000);
    expect(states.states()[0]).toMatchObject({
      sent: 1,
      lastSentAtMs: 1000,
      lastTarget: '/a/round-1/games.pgn',
      fault: { code: 'UPLOAD_FAILED', cure: 'mend it', sinceMs: 2000, isLost: false },
    });
    expect(states.states()[1]).not.toHaveProperty('fault');
    states.take(sent('/a'), 4000);
    expect(states.states()[0]).toMatchObject({ sent: 2, lastSentAtMs: 4000 });
    expect(states.states()[0]).not.toHaveProperty('fault');
  });

  it('keeps what is known of an output when only its delay changes, and forgets one that goes', () => {
    const states = create();
    states.setUp([output({ type: 'folder', dir: '/a' })]);
    states.take(sent('/a'), 1000);
    states.setUp([
      output({ type: 'folder', dir: '/a', delaySeconds: 60 }),
      output({ type: 'folder', dir: '/b' }),
    ]);
    expect(states.states()).toMatchObject([
      { name: '/a', delaySeconds: 60, sent: 1 },
      { name: '/b', sent: 0 },
    ]);
    states.setUp([output({ type: 'folder', dir: '/b' })]);
    expect(states.states().map(({ name }) => name)).toEqual(['/b']);
  });
});
