import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../installer/io/engine-flag.ts';

/** `npm test`: everything that needs nothing but npm. Peers, system, bench and campaigns have commands of their own. */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'test/system/**', 'test/bench/**', 'test/campaign/**', '**/node_modules/**'],
    // The runner itself mostly waits: of two cores it would leave one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
