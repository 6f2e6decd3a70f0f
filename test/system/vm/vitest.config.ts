import { defineConfig } from 'vitest/config';

/**
 * `npm run test:vm`: the .deb on a Debian 12 with a kernel of its own, for what a container cannot show. Needs root and what README.md of
 * `test/system` names; minutes, since every instruction is translated.
 */
export default defineConfig({
  test: {
    include: ['test/system/vm/**/*.test.ts'],
    globalSetup: ['test/system/support/release.ts'],
    testTimeout: 60_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
  },
});
