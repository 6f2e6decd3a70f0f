import type { DrainProgress } from '#shared/contract/feed/index.ts';
import type { CallControl } from '../../call/control/index.ts';

type Calls = Pick<CallControl, 'running' | 'turn'>;
type Running = Calls['running'] extends Iterable<infer Call> ? Call : never;

/** The device of an alarm may be silent and stays while people come and go: so its calls are known. */
const isAlarm = ({ session }: Running): boolean => !session.setting.endsSilent;

/** What still runs when a host is drained. */
export function callsLeft(calls: Calls): DrainProgress['calls'] {
  const running = [...calls.running];
  const alarm = running.filter(isAlarm).length;
  return { ordinary: running.length - alarm, alarm };
}

/** Ends every call that is no alarm's: nobody waits for them any longer. */
export function endOrdinaryCalls(calls: Calls): void {
  const reason = { protocol: 'SIP', cause: 503, text: 'this host is taken out of service' } as const;
  for (const call of calls.running) {
    if (!isAlarm(call)) calls.turn(() => call.input({ kind: 'hangUp', reason }));
  }
}
