import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';
import { COMPILE_CACHE } from '../support/vitest/compile-cache.ts';
import { OWN_LOADER } from '../support/vitest/own-loader.ts';

/** `npm run effects`: every journey on the fake clock, its effects written down. */
export default defineConfig({
  test: {
    include: ['test/journey/**/*.test.ts'],
    setupFiles: ['test/effect/record.ts'],
    execArgv: [KEEP_WRAPPER_CODE],
    env: COMPILE_CACHE,
    isolate: false,
    ...OWN_LOADER,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
