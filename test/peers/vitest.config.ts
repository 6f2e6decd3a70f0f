import { defineConfig } from 'vitest/config';

/** `npm run test:peers`: against real programs. They own ports and processes, so one file at a time. */
export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
