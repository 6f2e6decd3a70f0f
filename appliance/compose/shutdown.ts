import { setTimeout as pause } from 'node:timers/promises';
import type { ApplianceEngine } from '../engine/engine.ts';
import { callsLeft, endOrdinaryCalls } from '../site/host/site-call.ts';
import { GracefulStop } from '../site/supervision/index.ts';
import { clock } from './adapters.ts';

/** The stop of this engine. */
export const gracefulStop = ({ alarmSessions, calls, cordon, usage }: ApplianceEngine): GracefulStop =>
  new GracefulStop({
    takeNothing: () => {
      cordon.admittance = 'closed';
    },
    callsLeft: () => callsLeft(calls),
    endOrdinaryCalls: () => endOrdinaryCalls(calls),
    alarms: () => [...alarmSessions.running].map(({ session }) => session),
    tellUsage: () => usage.tellAll(),
    monoMs: clock.monoMs,
    pause: (ms) => pause(ms),
  });
