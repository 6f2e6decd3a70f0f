import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { uuid } from '#shared/id.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { type SessionOpening, SessionTrace } from '../../kernel/session-trace.ts';
import type { RequestFacts } from '../../sip/auth/index.ts';

type Ports = Pick<KernelPorts, 'random' | 'traceMs' | 'sessions'>;

/** The record of a message that is on its way. */
export interface MessageRecord {
  readonly traceId: string;
  /** The message has arrived, or never will. */
  end(result: Exclude<SessionRecord['result'], 'running'>, reason?: string): void;
}

/** A message of a device. `dest`: the application that it goes to; absent: none. */
export const recordArrived = (
  ports: Ports,
  { fromUser, destination, source }: RequestFacts,
  requestUri: string,
  dest?: string,
): MessageRecord =>
  begun(ports, {
    from: fromUser,
    to: destination,
    source,
    requestUri,
    ...(dest !== undefined && { rule: dest }),
  });

/** A message of an application. */
export const recordSent = (
  ports: Ports,
  { from, to }: { readonly from: string; readonly to: string },
): MessageRecord => begun(ports, { from, to, requestUri: to, rule: 'sendmessage' });

function begun(ports: Ports, facts: Omit<SessionOpening, 'kind' | 'event'>): MessageRecord {
  const traceId = uuid(ports.random(16));
  const trace = new SessionTrace(traceId, ports.traceMs, ports.sessions);
  trace.open({ kind: 'message', sessionId: traceId, ...facts });
  return {
    traceId,
    end: (outcome, reason) => trace.add('sessionEnded', { outcome, ...(reason !== undefined && { reason }) }),
  };
}
