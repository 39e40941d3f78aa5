import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/field/**/*.test.ts'], testTimeout: 120_000, maxWorkers: 2 },
});
