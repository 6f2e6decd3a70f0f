import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../installer/io/engine-flag.ts';
import { COMPILE_CACHE } from './support/vitest/compile-cache.ts';
import { consoleTexts } from './support/vitest/console-text.ts';
import { longOnly } from './support/vitest/long-only.ts';
import { longestFirst } from './support/vitest/longest-first.ts';
import { memoryFolder } from './support/vitest/memory-folder.ts';
import { OWN_LOADER } from './support/vitest/own-loader.ts';
import { STRANGERS } from './support/vitest/strangers.ts';

const ELSEWHERE = [
  'test/peers/**',
  'test/system/**',
  'test/bench/**',
  'test/campaign/**',
  '**/node_modules/**',
  // `test/peers` runs them on a real server; PGlite, which is slower, is for machines without one.
  ...(process.env.TEST_LONG === undefined ? ['test/cloud/**/on-postgresql.test.ts'] : []),
  ...longOnly('test', 'test'),
  ...STRANGERS,
];

/**
 * Files with a process of their own. Every other file shares one with those before it, which has loaded the product already:
 * that is a second of processor time for each file.
 */
const APART = [
  // Programs as a reader starts them, and mutations by the hundred thousand that are judged by a few milliseconds each.
  'test/{examples,fuzz}/**/*.test.ts',
  // They start this runner, build, pack, or measure what a build has left.
  'test/{effect,walk}/**/*.test.ts',
  'test/installer/build/**/*.test.ts',
  'test/cloud/http/console.test.ts',
  // They change the environment, the folder or the ends of their process.
  'test/cloud/**/on-postgresql.test.ts',
  'test/appliance/io/speech/*.test.ts',
  'test/appliance/io/sqlite/{request-thread,folder-lock}.test.ts',
  'test/appliance/io/system/{log,machine-reading}.test.ts',
  'test/appliance/io/thread/asked-thread.test.ts',
  'test/appliance/io/tts/tts.test.ts',
  'test/appliance/io/edge/identity/host-key.test.ts',
  'test/cloud/io/log.test.ts',
  'test/installer/command/shell.test.ts',
  'test/support/port/site-port.test.ts',
  // They measure memory, processor time or waits of their process.
  'test/appliance/io/capture/long-trace.test.ts',
  'test/cloud/io/{password/argon2,process-meter}.test.ts',
  'test/installer/command/trace-text.test.ts',
  'test/installer/io/engine-flag.test.ts',
];

const ALL = ['test/**/*.test.ts'];
const RULES = ['test/architecture/**/*.test.ts'];
/** They load pages, which only a bundler reads. */
const PAGES = ['test/cloud/console/**/*.test.ts'];

/** More than twenty seconds each, many of them of waiting. */
const LONG = [
  'cloud/http/on-postgresql',
  'journey/record/pair',
  'journey/usage-cloud',
  'appliance/rehearsal/rehearse',
  'walk/walks',
  'call-loop',
  'cloud/privacy/on-postgresql',
  'cloud/store/dialects',
  'simulator/receive-run',
  'simulator/swarm',
  'examples/alarm',
  'examples/documentation',
  'examples/call',
  'installer/command/develop/rehearse',
  'installer/command/bad-input',
  'installer/command/wrong-use',
  'installer/step/demo-simulated',
  'journey/privacy-pair',
  'journey/recording/recording-pair',
  'journey/privacy',
  'journey/sending-group-hangup',
  'journey/cloud-stopped',
  'journey/heartbeat',
  'journey/tone-line',
  'journey/review-random',
  'journey/self-test',
  'journey/media-service-field',
  'journey/mapper-field',
  'journey/alarm-input',
  'journey/journal-before',
  'cloud/site/simulation',
  'journey/sending-field',
  'appliance/older-cloud',
  'journey/alarm-unanswered',
  'call/sound/leg-recorder',
  'call/media-service/media-stream',
  'journey/journal-damaged',
  'journey/alarm-speech/alarm-stream',
  'alarm-queue/push',
  'http/maker-tree',
].map((name) => `/${name}.test.ts`);

/** `npm test`: everything that needs nothing but npm. Peers, system, bench and campaigns have commands of their own. */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    env: { ...COMPILE_CACHE, ...memoryFolder() },
    globalSetup: ['test/support/program/prepare.ts'],
    // Journeys with real doors mostly wait: with a process for each core a third of the cores' time is idle.
    maxWorkers: availableParallelism() + 1,
    // For what hangs: a busy machine takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: longestFirst(LONG) },
    projects: [
      {
        extends: true,
        test: {
          ...{ name: 'together', include: ALL, isolate: false },
          exclude: [...ELSEWHERE, ...APART, ...RULES, ...PAGES],
          ...OWN_LOADER,
        },
      },
      {
        extends: true,
        plugins: [consoleTexts()],
        test: { name: 'pages', include: PAGES, exclude: ELSEWHERE, isolate: false },
      },
      {
        extends: true,
        // A process reads and parses the tree once for all of its files, which takes the first of them minutes on a busy machine.
        test: {
          name: 'architecture',
          include: RULES,
          exclude: ELSEWHERE,
          isolate: false,
          testTimeout: 300_000,
          ...OWN_LOADER,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: APART,
          exclude: ELSEWHERE,
          ...OWN_LOADER,
        },
      },
    ],
  },
});
