import type { DrainProgress } from '#shared/contract/feed/index.ts';
import type { CallControl } from '../../call/control/index.ts';
import type { CallPurpose } from '../../call/session/index.ts';

type Calls = Pick<CallControl, 'running' | 'turn'>;
type Running = Calls['running'] extends Iterable<infer Call> ? Call : never;

/**
 * Calls that a host which goes out of service still takes, waits for and never ends. Every other call is turned away,
 * and ended by a drain with force.
 */
const URGENT: ReadonlySet<CallPurpose> = new Set(['alarm', 'emergency']);

export const isUrgent = (purpose: CallPurpose): boolean => URGENT.has(purpose);

const isAlarm = ({ session }: Running): boolean => isUrgent(session.setting.purpose);

/** The calls that still run when a host is drained; `alarm` counts every call that is urgent. */
export function callsLeft(calls: Calls): DrainProgress['calls'] {
  const running = [...calls.running];
  const alarm = running.filter(isAlarm).length;
  return { ordinary: running.length - alarm, alarm };
}

/** Ends every call that is not urgent: the drain waits for them no longer. */
export function endOrdinaryCalls(calls: Calls): void {
  const reason = { protocol: 'SIP', cause: 503, text: 'this host is taken out of service' } as const;
  for (const call of calls.running) {
    if (!isAlarm(call)) calls.turn(() => call.input({ kind: 'hangUp', reason }));
  }
}
