import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';
import { COMPILE_CACHE } from '../support/vitest/compile-cache.ts';
import { longOnly } from '../support/vitest/long-only.ts';
import { longestFirst } from '../support/vitest/longest-first.ts';
import { memoryFolder } from '../support/vitest/memory-folder.ts';
import { OWN_LOADER } from '../support/vitest/own-loader.ts';
import { STRANGERS } from '../support/vitest/strangers.ts';

/**
 * On ports that were free, and judged by tens of seconds or not by time at all: what timers of the product make wait in some of
 * them is time for the others. The longest first: whatever begins behind it would be waited for.
 */
const BESIDE = [
  'campaign-kill9',
  'campaign/loss',
  'replica/api-on-postgres',
  'campaign/damaged',
  'console-site',
  'cloud/console-axe',
  'replica/partition',
  'replica/parted-writer',
  'replica/mass-loss',
  'replica/mass-loss-judge',
  'replica/mass-loss-twice',
  'replica/upgrade',
  'replica/whichever-replica',
  'replica/database-failover',
  'replica/going-on',
  'cloud/record-killed',
  'cloud/disk-full',
  'cloud/stop-in-trouble',
  'sdk/first-hour',
  'sdk/first-site',
  'cloud/demo-record',
  'cloud/demo',
  'cloud/console-second-factor',
  'postgres',
  'replica/postgres-rows',
  'mosquitto',
  'campaign-wan',
  'campaign/lasting',
  'campaign/hanging',
  'campaign/control-plane',
  'host-life',
  'self-test',
  'prometheus',
  'call-silent-host',
  'recording-crash',
  'technician-chromium',
  'site-feed',
  'cloud-recipe',
  'cloud/console-record',
  'time-chrony',
  'campaign',
  'console-supervision',
  'mosquitto-access',
  'console-chromium',
  'capture/joined-capture',
  'capture/tshark',
  'sdk/python',
  'sdk/verifier',
  'sdk/csharp',
  'sdk/own-application',
  'cloud/console-setup',
  'cloud/console-history',
  'cloud/console-now',
  'cloud/console-queue',
  'console/console-push',
  'cloud/documentation',
  'cloud/shared-installation',
  'replica/half-open',
  'replica/recovery',
  'replica/compose-file',
  'replica/haproxy',
  'replica/full-disk',
  'cloud/console-recording',
  'people/answer-matrix',
  'cloud/console-host',
  'console/transcript',
  'console/trouble',
  'console/task',
  'console/name',
  'console/token',
  'console/list',
].map((name) => `${name}.test.ts`);
/** It replaces modules of the product by others, which only the bundler's loader does. */
const REPLACED = ['replica/removal.test.ts'];
/** Each has processes of its own, and two cores are shared by all. */
const AT_ONCE = 3;

/** They hear audio or wait for a clock, and have ports of their own: two at a time do not disturb each other. The longest first. */
const BY_TWOS = [
  'cloud/replicas',
  'cloud/record-latency',
  'tone-loss',
  'call-baresip',
  'people/call-list',
  'people/strangers',
  'people/queue-latency',
  'vip-keepalived',
  'console-telephone',
  'recording-site',
  'simulate',
  'call-sipp',
  'webrtc-call',
  'sipp-signalling',
  'call-sipp-digits',
  'recording',
  'call-ipv6',
  'call-linphone',
  'srtp-ffmpeg',
  'call-kamailio',
  'sipp-scaip',
  'webrtc-chromium',
  'program/stream-program',
  'stream',
  'dtmf',
  'call-tls',
  'call-inside',
  'openssl',
  'call-sipjs',
  'call-sipp-trunk',
  'srtp-libsrtp',
  'programs',
  'speech',
  'vip-text',
  'campaign/fault-history',
].map((name) => `${name}.test.ts`);
const ORDER = [...BESIDE, ...BY_TWOS];

const LONG = longOnly('peers', 'test/peers');

const inFolder = (names: readonly string[]): string[] => names.map((name) => `test/peers/${name}`);

/** `npm run test:peers`: against real programs. Some judge time: one file after the other, once the others are over. */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    env: { ...COMPILE_CACHE, ...memoryFolder() },
    globalSetup: ['test/support/program/prepare.ts'],
    // For what hangs: a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One second otherwise, which a busy machine exceeds.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: longestFirst(ORDER.map((name) => `/${name}`)) },
    projects: [
      {
        extends: true,
        test: {
          name: 'beside',
          include: inFolder(BESIDE),
          exclude: LONG,
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 0 },
          ...OWN_LOADER,
        },
      },
      {
        extends: true,
        test: {
          name: 'replaced',
          include: inFolder(REPLACED),
          exclude: LONG,
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'by twos',
          include: inFolder(BY_TWOS),
          exclude: LONG,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...OWN_LOADER,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/peers/**/*.test.ts', ...STRANGERS],
          exclude: [...inFolder([...ORDER, ...REPLACED]), ...LONG],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...OWN_LOADER,
        },
      },
    ],
  },
});
