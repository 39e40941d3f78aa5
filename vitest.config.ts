import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Certificates that an environment adds are read at every start of Node, and double its cost; no test needs any.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/field/**',
      'test/browser/**',
      'test/hil/**',
      'test/faults/**',
      'test/fuzz/**',
      'node_modules/**',
    ],
    // A limit for what hangs, not for what is slow: machines that build things are busy.
    testTimeout: 60_000,
    // Many tests wait for a port, a disk or another process: one at a time, they would leave a small machine idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
