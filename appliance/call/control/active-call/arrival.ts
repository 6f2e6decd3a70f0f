import { bracketed } from '#shared/host-port.ts';
import { uuid } from '#shared/id.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { type SessionOpening, SessionTrace, type TraceSink } from '../../../kernel/session-trace.ts';
import type { TenantModel, TenantPorts } from '../../../replica/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { ApplicationKind, Caller, Route } from '../../route/index.ts';
import { type CallPurpose, type CallSetting, isEmergencyNumber } from '../../session/index.ts';
import { addressFields } from '../target/address-fields.ts';
import type { CallArrival } from './call-arrival.ts';
import type { Claim } from './call-control-port.ts';

/** The beginning of a call: its name, its trace, and the way to refuse it before it has a leg. */
export interface Begun {
  readonly id: string;
  readonly trace: SessionTrace;
  readonly refuse: (status: number, text: string) => void;
}

export function begun(ports: KernelPorts & TenantPorts, pages: TraceSink, arrival: CallArrival): Begun {
  const { request, server, flow, nowMs } = arrival;
  const trace = new SessionTrace(uuid(ports.random(16)), ports.traceMs, ports.sessions);
  const id = uuid(ports.random(16));
  trace.belongsTo(id);
  const source = `${flow.remoteAddress}:${flow.remotePort}`;
  const { method, uriText: uri, callId } = request;
  const from = request.from.uriText;
  trace.add('sipReceived', { method, uri, from, transport: flow.transport, source, callId });
  const refuse = (status: number, text: string): void => {
    server.respond(
      { status, headers: [['Warning', `399 ${bracketed(ports.place.address)} "${text}"`]] },
      nowMs,
    );
    trace.add('sipAnswered', { status, reason: text });
    if (trace.kind !== undefined)
      trace.add('sessionEnded', { outcome: 'refused', reason: `${status} ${text}` });
    pages.add(trace.takePage());
  };
  return { id, trace, refuse };
}

/** The call is a session with a record; a call of this host to itself is none. */
export function openTrace(
  ports: TenantPorts,
  { request, caller, flow }: CallArrival,
  { id, trace, route }: Pick<Begun, 'id' | 'trace'> & { readonly route?: Route },
): void {
  if (caller.kind === 'own') return;
  const deviceId = caller.kind === 'device' ? caller.deviceId : undefined;
  const called = route?.kind === 'device' ? route.deviceId : undefined;
  trace.open({
    kind: 'call',
    ...{ sessionId: id, deviceId: deviceId ?? called },
    from: addressFields(request.from.uriText)?.user,
    to: addressFields(request.uriText)?.user,
    requestUri: request.uriText,
    source: flow.remoteAddress,
    trunk: caller.kind === 'trunk' ? caller.trunkId : undefined,
    ...(route === undefined ? { rule: 'Replaces' } : receiverOf(ports.tenant(), route)),
  });
}

/** The bridge or service that a call goes to, and the rule that picked it. */
function receiverOf(
  tenant: TenantModel,
  route: Route,
): Pick<SessionOpening, 'receiver' | 'receiverName' | 'rule' | 'protocol'> {
  if (route.kind !== 'receiver' && route.kind !== 'application') return { rule: RULES[route.kind] };
  const { id } = route;
  const bridge = route.kind === 'receiver' ? tenant.bridge(id) : undefined;
  const program =
    tenant.mediaServicesById.get(id) ?? tenant.recordingServicesById.get(id) ?? tenant.cloudSipUa(id);
  const { name, destinationMatch } = bridge ?? program ?? {};
  return {
    receiver: id,
    receiverName: name,
    protocol: bridge?.protocol,
    rule: destinationMatch === undefined ? undefined : `destinationMatch ${destinationMatch}`,
  };
}

const RULES: Readonly<Record<Exclude<Route['kind'], 'receiver' | 'application'>, string | undefined>> = {
  device: 'deviceId',
  number: 'outbound trunk',
  address: 'SIP address',
  refused: undefined,
};

/** Says whether a call is part of something that waits for it. */
export type Claims = (request: SipRequest, caller: Caller) => Claim | undefined;

export function firstClaim(
  claimants: readonly Claims[],
  request: SipRequest,
  caller: Caller,
): Claim | undefined {
  for (const claims of claimants) {
    const claim = claims(request, caller);
    if (claim !== undefined) return claim;
  }
  return undefined;
}

const PURPOSE_OF_APPLICATION: Readonly<Record<ApplicationKind, CallPurpose>> = {
  mediaservice: 'mediaService',
  callrecording: 'recording',
  cloudsipua: 'cloudUa',
  sending: 'alarm',
};

/** `user`: whom the caller has dialled. */
function purposeOf(route: Route, user: string): CallPurpose {
  if (route.kind === 'receiver') return 'alarm';
  const service = route.kind === 'application' ? PURPOSE_OF_APPLICATION[route.service] : 'ordinary';
  return service !== 'alarm' && isEmergencyNumber(user) ? 'emergency' : service;
}

export function settingOf(route: Route, user: string): Partial<CallSetting> {
  const purpose = purposeOf(route, user);
  // A device stays while people come and go; it may well be silent while it listens.
  if (route.kind === 'receiver') return { purpose, keepsCaller: true, endsSilent: false };
  if (route.kind !== 'application') return { purpose };
  // A recording client may well have nothing to say for a while.
  return { purpose, keepsCaller: true, endsSilent: route.service === 'mediaservice' };
}
