import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { KEEP_WRAPPER_CODE } from '../../installer/io/engine-flag.ts';
import { OWN_LOADER } from '../support/vitest/own-loader.ts';

/**
 * `npm run test:fast`: the pure cores, the contracts and the rules of the architecture, in about a minute. Files share a
 * process because cores have no state of their own. Sockets, processes, journeys and databases are left to `npm test`.
 */
export default defineConfig({
  test: {
    execArgv: [KEEP_WRAPPER_CODE],
    maxWorkers: availableParallelism(),
    // For what hangs: a busy machine takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    ...OWN_LOADER,
    include: [
      'test/shared/**/*.test.ts',
      'test/appliance/{alarm,call,delivery,engine,explain,kernel,media,operation,registration,replica,sip,site}/**/*.test.ts',
      'test/cloud/{callback-relay,feed,monitoring,provisioning,site,tenant}/**/*.test.ts',
      'test/installer/{plan,preflight,release,text}/**/*.test.ts',
      'test/architecture/{circles,citations,decisions,imports,layout,readmes,words}.test.ts',
    ],
    // Each of these takes longer than five seconds.
    exclude: [
      'test/appliance/site/peer/sim.test.ts',
      'test/cloud/site/simulation.test.ts',
      'test/appliance/media/dtmf/speech.test.ts',
    ],
  },
});
