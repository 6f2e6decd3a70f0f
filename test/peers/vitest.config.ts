import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';

/** A minute each, in which hardly anything happens: timers of the product run out. On ports that were free, judged by tens of seconds. */
const WAITING = ['mosquitto', 'call-silent-host', 'campaign-wan', 'host-life'].map(
  (name) => `test/peers/${name}.test.ts`,
);

/**
 * `npm run test:peers`: against real programs. They own ports and processes, and many judge time: one file after the other,
 * once those that wait have waited together.
 */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'waiting',
          include: WAITING,
          maxWorkers: WAITING.length,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/peers/**/*.test.ts'],
          exclude: WAITING,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
