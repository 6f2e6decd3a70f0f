import { uuid } from '#shared/id.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { SessionTrace } from '../../kernel/session-trace.ts';
import type { TraceWriteBehind } from '../../kernel/trace-write-behind.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { bracketed } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import type { Caller, Route } from '../route/index.ts';
import type { CallSetting } from '../session/index.ts';
import type { CallArrival, Claim } from './call-control-port.ts';

/** What a call is begun with: its name, its trace, and the way to refuse it before it has a leg. */
export interface Begun {
  readonly id: string;
  readonly trace: SessionTrace;
  readonly refuse: (status: number, text: string) => void;
}

export function begun(
  ports: KernelPorts & TenantPorts,
  pages: TraceWriteBehind,
  arrival: CallArrival,
): Begun {
  const { request, server, flow, nowMs } = arrival;
  const trace = new SessionTrace(uuid(ports.random(16)), ports.traceMs);
  const id = uuid(ports.random(16));
  trace.belongsTo(id);
  const source = `${flow.remoteAddress}:${flow.remotePort}`;
  const { method, uriText: uri } = request;
  trace.add('sipReceived', { method, uri, from: request.from.uriText, transport: flow.transport, source });
  const refuse = (status: number, text: string): void => {
    server.respond(
      { status, headers: [['Warning', `399 ${bracketed(ports.place.address)} "${text}"`]] },
      nowMs,
    );
    trace.add('sipAnswered', { status, reason: text });
    pages.add(trace.takePage());
  };
  return { id, trace, refuse };
}

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

/** A device stays while people come and go; it may well be silent while it listens. */
const RECEIVER_SETTING: Partial<CallSetting> = { keepsCaller: true, endsSilent: false };

export function settingOf(route: Route): Partial<CallSetting> {
  if (route.kind === 'receiver') return RECEIVER_SETTING;
  if (route.kind !== 'application') return {};
  // A recording client may well have nothing to say for a while.
  return { keepsCaller: true, endsSilent: route.service === 'mediaservice' };
}
