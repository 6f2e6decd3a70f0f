import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { uuid } from '#shared/id.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { type SessionOpening, SessionTrace } from '../../kernel/session-trace.ts';
import type { ReplicatedBridge, TenantPorts } from '../../replica/index.ts';
import type { RequestFacts } from '../../sip/auth/index.ts';

type Ports = Pick<KernelPorts, 'random' | 'traceMs' | 'sessions'>;

/** The record of a message that is on its way. */
export interface MessageRecord {
  readonly traceId: string;
  readonly add: SessionTrace['add'];
  /** The message has arrived, or never will. */
  end(result: Exclude<SessionRecord['result'], 'running'>, reason?: string): void;
}

/** Where a message of a device goes: the row's name of it, and the bridge behind it; absent: the tenant's own. */
export interface MessageReceiver {
  readonly dest: string;
  readonly bridge: Pick<ReplicatedBridge, 'id' | 'name'> | undefined;
}

/** A message of a device. `receiver`: the application that it goes to; absent: none. */
export const recordArrived = (
  ports: Ports & TenantPorts,
  { fromUser, destination, source }: RequestFacts,
  requestUri: string,
  receiver?: MessageReceiver,
): MessageRecord =>
  begun(ports, {
    from: fromUser,
    to: destination,
    source,
    requestUri,
    deviceId: ports.tenant().byId(fromUser)?.deviceId,
    ...(receiver !== undefined && { rule: receiver.dest }),
    ...{ receiver: receiver?.bridge?.id, receiverName: receiver?.bridge?.name },
  });

/** A message of an application. `deviceId`: the provisioned device that it goes to. */
export const recordSent = (
  ports: Ports,
  {
    from,
    to,
    deviceId,
  }: { readonly from: string; readonly to: string; readonly deviceId: string | undefined },
): MessageRecord => begun(ports, { from, to, deviceId, requestUri: to, rule: 'sendmessage' });

function begun(ports: Ports, facts: Omit<SessionOpening, 'kind' | 'event'>): MessageRecord {
  const traceId = uuid(ports.random(16));
  const trace = new SessionTrace(traceId, ports.traceMs, ports.sessions);
  trace.open({ kind: 'message', sessionId: traceId, ...facts });
  return {
    traceId,
    add: (kind, detail) => trace.add(kind, detail),
    end: (outcome, reason) => trace.add('sessionEnded', { outcome, ...(reason !== undefined && { reason }) }),
  };
}
