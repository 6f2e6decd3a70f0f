import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';

/**
 * On ports that were free, and judged by tens of seconds or not by time at all: what timers of the product make wait in some of
 * them is time for the others. The longest first: whatever begins behind it would be waited for.
 */
const BESIDE = [
  'campaign-kill9',
  'console-site',
  'postgres',
  'mosquitto',
  'campaign-wan',
  'host-life',
  'self-test',
  'prometheus',
  'call-silent-host',
  'recording-crash',
  'technician-chromium',
  'site-feed',
  'cloud-recipe',
  'console-supervision',
  'mosquitto-access',
  'console-chromium',
].map((name) => `${name}.test.ts`);
/** Each has processes of its own, and two cores are shared by all. */
const AT_ONCE = 5;

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const place = (file: string): number => {
      const found = BESIDE.indexOf(basename(file));
      return found < 0 ? BESIDE.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a.moduleId) - place(b.moduleId));
  }
}

/** No programs, but strangers at the sockets of a whole appliance: part of what the SIP engine has to show. They judge time, too. */
const STRANGERS = ['sip-hostile', 'sip-message', 'sip-dialog'].map((name) => `test/fuzz/${name}.test.ts`);

const paths = BESIDE.map((name) => `test/peers/${name}`);

/** `npm run test:peers`: against real programs. Many judge time: one file after the other, once those that do not are over. */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'beside', include: paths, maxWorkers: AT_ONCE, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/peers/**/*.test.ts', ...STRANGERS],
          exclude: paths,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
