import { defineConfig } from 'vitest/config';

// Certificates that an environment adds are read at every start of Node, and double its cost; no test needs any.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
    testTimeout: 240_000,
    // People at boards need their time whatever the machine does: several tests wait for them at once.
    maxWorkers: 3,
    // A reason for what is skipped is printed.
    reporters: ['verbose'],
  },
});
