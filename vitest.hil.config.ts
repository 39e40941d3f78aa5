import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/hil/**/*.test.ts'],
    globalSetup: ['test/hil/shipped.ts'],
    testTimeout: 60_000,
    fileParallelism: false,
  },
});
