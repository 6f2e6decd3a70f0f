import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';

/** `npm run test:peers`: against real programs. They own ports and processes, so one file at a time. */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
