import { type SwarmRun, type SwarmState, simulateSwarm } from '#appliance/simulator/index.ts';
import { type Served, serveParent } from './serve-parent.ts';

export type SwarmSetting = Omit<SwarmRun, 'onStep' | 'seconds'>;
export type { SwarmState };

/** Hosts that stay until the parent says stop; every question is answered with how they stand. */
async function start(setting: SwarmSetting): Promise<Served<null, null, SwarmState | undefined>> {
  let newest: SwarmState | undefined;
  let fault: unknown;
  simulateSwarm({
    ...setting,
    seconds: 86_400,
    onStep: (state) => {
      newest = state;
    },
  }).catch((cause: unknown) => {
    fault = cause;
  });
  return {
    ready: null,
    answer: () => {
      if (fault !== undefined) throw fault;
      return newest;
    },
    close: async () => undefined,
  };
}

serveParent(start);
