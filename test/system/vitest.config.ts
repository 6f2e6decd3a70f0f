import { defineConfig } from 'vitest/config';

/**
 * `npm run test:system`: the packages on Debian that is really started. Needs root and the Debian packages that README.md
 * names. Two machines at once, each file with one of its own.
 */
export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/system/support/release.ts'],
    testTimeout: 150_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
