import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/hil/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 700_000,
    fileParallelism: false,
  },
});
