import { defineConfig } from 'vitest/config';
import { longOnly } from '../support/vitest/long-only.ts';
import { longestFirst } from '../support/vitest/longest-first.ts';
import { OWN_LOADER } from '../support/vitest/own-loader.ts';

/** The longest first: whatever begins behind one machine's life would be waited for. */
const FIRST = [
  'life',
  'enrolment',
  'second-build',
  'package',
  'binary',
  'network',
  'platform-network',
  'vip',
].map((name) => `/${name}.test.ts`);

/**
 * `npm run test:system`: the packages on Debian that is really started. Needs root and the Debian packages that README.md
 * names. Three machines at once, each file with one of its own: they wait for releases that hang longer than they compute.
 */
export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    // A kernel of its own takes minutes: npm run test:vm.
    exclude: ['test/system/vm/**', ...longOnly('system', 'test/system')],
    globalSetup: ['test/system/support/release.ts'],
    // For what hangs: a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 400_000,
    // One second otherwise, which a busy machine exceeds.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 3,
    ...OWN_LOADER,
    sequence: { sequencer: longestFirst(FIRST) },
  },
});
