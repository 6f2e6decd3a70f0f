import { uuid } from '#shared/id.ts';
import type { Result } from '#shared/result.ts';
import { type Atm, decodeAtm, NOWIP_PROFILE } from '../alarm/protocol/nowip/index.ts';
import {
  decodeRequest,
  SCAIP_PROFILE,
  type ScaipRefusal,
  type ScaipRequest,
  SNU,
} from '../alarm/protocol/scaip/index.ts';
import { acceptsContentType, decodeContent } from '../alarm/protocol/xml-message/index.ts';
import { type AlarmReceiver, protocolFor, type ReceiverBridge } from '../alarm/receiver/index.ts';
import {
  type AuthError,
  type Authenticator,
  type Decision,
  type RequestFacts,
  requestFacts,
} from '../sip/auth/index.ts';
import type { Flow, ServerTransaction } from '../sip/endpoint/index.ts';
import type { HeaderFields, SipRequest } from '../sip/message/index.ts';
import { TimerWheel } from '../sip/transaction/index.ts';
import { type CallDesk, type CallRouter, InviteRate } from './call/index.ts';
import type { DeviceReply } from './device-reply.ts';
import type { NowIpDesk } from './nowip-desk.ts';
import type { PlatformAlarmDesk } from './platform-alarm-desk.ts';
import type { RuntimePorts } from './port.ts';
import type { RegistrationDesk } from './registration-desk.ts';
import type { ScaipDesk } from './scaip-desk.ts';
import type { StrayMessageDesk } from './stray-message-desk.ts';
import { TraceBook } from './trace-book.ts';

export interface SipDeskParts {
  readonly authenticator: Authenticator;
  readonly scaip: ScaipDesk;
  readonly nowip: NowIpDesk;
  readonly registrations: RegistrationDesk;
  readonly strays: StrayMessageDesk;
  readonly reply: DeviceReply;
  readonly alarms: PlatformAlarmDesk;
  readonly receiver: () => AlarmReceiver;
  readonly calls: CallDesk;
  readonly router: CallRouter;
}

/** A request with what was settled about it on the way. */
interface Arrival {
  readonly request: SipRequest;
  readonly server: ServerTransaction;
  readonly flow: Flow;
  readonly nowMs: number;
}

interface ScaipMessage {
  readonly bridge: ReceiverBridge;
  readonly decoded: Result<ScaipRequest, ScaipRefusal>;
}

/**
 * The transaction user for requests outside a dialog: who is it, may it go on, and which desk takes it. A MESSAGE
 * with an alarm gets its 200 here, at once: that it arrived, and nothing more.
 */
export class SipDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: SipDeskParts;
  /** Answers that are held back for a while: a source with a bad standing waits. */
  readonly #delayed: TimerWheel<() => void, 'answer'>;
  readonly #rate = new InviteRate();

  constructor(ports: RuntimePorts, parts: SipDeskParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#delayed = new TimerWheel(ports.clock.monoMs());
  }

  get nextDueMs(): number | undefined {
    return this.#delayed.nextDueMs();
  }

  advance(nowMs: number): void {
    for (const { key: answer } of this.#delayed.advance(nowMs)) answer();
  }

  deliver(request: SipRequest, server: ServerTransaction, flow: Flow, nowMs: number): void {
    const arrival = { request, server, flow, nowMs };
    if (request.method === 'MESSAGE') this.#message(arrival);
    else if (request.to.tag !== undefined) this.#parts.calls.requested(request, server, nowMs);
    else if (request.method === 'INVITE') this.#invite(arrival);
    else if (request.method === 'REGISTER') this.#register(arrival);
    else server.respond({ status: 481 }, nowMs);
  }

  #register(arrival: Arrival): void {
    const facts = requestFacts(arrival.request, arrival.flow);
    const decision = this.#identify(arrival, facts);
    if (decision?.identity.kind === 'device') {
      this.#parts.registrations.register(arrival, decision.identity.account);
    } else if (decision !== undefined) arrival.server.respond({ status: 403 }, arrival.nowMs);
  }

  #invite(arrival: Arrival): void {
    const { request, server, flow, nowMs } = arrival;
    const waitS = this.#rate.refuses(flow.remoteAddress, nowMs);
    if (waitS !== undefined) {
      server.respond({ status: 503, headers: [['Retry-After', String(waitS)]] }, nowMs);
      return;
    }
    const { calls, router } = this.#parts;
    const said = requestFacts(request, flow);
    const ownAlarmSession = calls.claims(request, router.deviceCaller(said.fromUser)) !== undefined;
    const identity = this.#identify(arrival, { ...said, ownAlarmSession })?.identity;
    const caller = identity && router.callerOf(identity);
    if (caller !== undefined) calls.arrive({ ...arrival, caller });
    else if (identity !== undefined) server.respond({ status: 403 }, nowMs);
  }

  #message(arrival: Arrival): void {
    const { request, flow } = arrival;
    const said = requestFacts(request, flow);
    const bridge = this.#parts.receiver().bridgeFor(said.destination);
    const scaip = bridge === undefined ? undefined : this.#scaip(arrival, bridge);
    const atm = bridge === undefined || scaip !== undefined ? undefined : this.#atm(arrival, bridge);
    const cid = scaip?.decoded.ok === true ? scaip.decoded.value.cid : undefined;
    const facts = { ...said, alarm: scaip !== undefined || atm !== undefined ? { cid } : undefined };
    const decision = this.#identify(arrival, facts);
    if (decision === undefined) return;
    if (scaip !== undefined) this.#alarm(arrival, scaip, facts, decision);
    else if (atm !== undefined && bridge !== undefined)
      this.#nowip(arrival, { bridge, atm }, facts, decision);
    else this.#parts.strays.take(arrival, facts);
  }

  /** The body as SCAIP, when this bridge takes SCAIP and the body says it is some. */
  #scaip({ request }: Arrival, bridge: ReceiverBridge): ScaipMessage | undefined {
    if (protocolFor(bridge, undefined, 'message') !== 'scaip') return undefined;
    const type = request.contentType;
    if (type !== undefined && !acceptsContentType(SCAIP_PROFILE.contentTypesAccepted, type)) return undefined;
    const body = decodeContent(request.body, request.header('Content-Encoding'), this.#ports.inflate);
    const decoded = body.ok ? decodeRequest(body.value) : unreadable(body.error.reason);
    return { bridge, decoded };
  }

  #alarm(
    arrival: Arrival,
    { bridge, decoded }: ScaipMessage,
    facts: RequestFacts,
    { identity }: Accepted,
  ): void {
    const { request, server, flow, nowMs } = arrival;
    const trace = this.#traceOf(arrival, bridge, identity);
    const profile = SCAIP_PROFILE;
    const way = this.#parts.reply.open({
      flow: server.flow,
      device: request.from.uriText,
      us: request.to.uriText,
      contentType: profile.contentType,
      waiting: profile.responseMode === 'message' ? undefined : server,
    });
    if (profile.responseMode === 'message') {
      server.respond({ status: 200 }, nowMs);
      trace.add('sipAnswered', { status: 200, reason: 'OK' });
    }
    const said = decoded.ok ? decoded.value : undefined;
    const found =
      said &&
      this.#parts
        .receiver()
        .find(bridge, { controllerId: said.cid, deviceId: said.did, callingParty: facts.fromUser });
    this.#parts.scaip.receive({
      protocol: 'scaip',
      decoded,
      raw: request.body.toString('utf8', 0, 2_000),
      bridge,
      profile,
      way,
      fromUser: facts.fromUser,
      calledParty: facts.destination,
      sourceIp: flow.remoteAddress,
      heartbeatIntervalMs: found?.ownIntervalMs,
      trace,
    });
  }

  /** The body as NOW-IP, when this bridge takes it and the root of the body is ATM. */
  #atm({ request }: Arrival, bridge: ReceiverBridge): Atm | undefined {
    const protocol = protocolFor(bridge, undefined, 'message');
    if (protocol !== 'nowip' && protocol !== 'nowipcontroller') return undefined;
    const body = decodeContent(request.body, request.header('Content-Encoding'), this.#ports.inflate);
    const atm = body.ok ? decodeAtm(body.value) : undefined;
    return atm?.ok === true ? atm.value : undefined;
  }

  #nowip(
    arrival: Arrival,
    { bridge, atm }: { readonly bridge: ReceiverBridge; readonly atm: Atm },
    facts: RequestFacts,
    { identity }: Accepted,
  ): void {
    const { request, server, flow, nowMs } = arrival;
    const trace = this.#traceOf(arrival, bridge, identity);
    const way = this.#parts.reply.open({
      flow: server.flow,
      device: request.from.uriText,
      us: request.to.uriText,
      contentType: request.contentType ?? NOWIP_PROFILE.contentType,
      waiting: undefined,
    });
    server.respond({ status: 200 }, nowMs);
    trace.add('sipAnswered', { status: 200, reason: 'OK' });
    const { fromUser, destination: calledParty } = facts;
    const sourceIp = flow.remoteAddress;
    this.#parts.nowip.receive({
      protocol: 'nowip',
      atm,
      bridge,
      way,
      fromUser,
      calledParty,
      sourceIp,
      trace,
    });
  }

  /** The trace of an alarm, up to the receiver that takes it. */
  #traceOf({ request, flow }: Arrival, bridge: ReceiverBridge, identity: Accepted['identity']): TraceBook {
    const trace = new TraceBook(uuid(this.#ports.random(16)), this.#ports.traceMs);
    const source = `${flow.remoteAddress}:${flow.remotePort}`;
    const { method, uriText: uri } = request;
    trace.add('sipReceived', { method, uri, from: request.from.uriText, transport: flow.transport, source });
    const device = identity.kind === 'device' ? identity.account : undefined;
    const unknown = identity.kind === 'unknownUnit' ? { deviceId: identity.deviceId, known: false } : {};
    trace.add(
      'deviceIdentified',
      device === undefined ? unknown : { deviceId: device.deviceId, authType: device.authType },
    );
    const { id: alarmBridgeId, name, protocol } = bridge;
    trace.add('receiverMatched', { alarmBridgeId, name, protocol });
    return trace;
  }

  /** Undefined: the request has got its answer, or none. */
  #identify(arrival: Arrival, facts: RequestFacts): Accepted | undefined {
    const decision = this.#parts.authenticator.identify(facts, arrival.nowMs);
    if (decision.outcome === 'accepted') return decision;
    if (decision.outcome === 'ignored') arrival.server.abandon();
    else {
      const status = decision.outcome === 'challenged' ? 401 : 403;
      const challenges = decision.outcome === 'challenged' ? decision.challenges : [];
      const headers: HeaderFields = challenges.map((value) => ['WWW-Authenticate', value]);
      this.#answer(arrival, decision.delayMs, { status, headers });
      if (decision.authError !== undefined) this.#authError(decision.authError, arrival.request);
    }
    return undefined;
  }

  #answer(
    { server, nowMs }: Arrival,
    delayMs: number,
    answer: { status: number; headers: HeaderFields },
  ): void {
    if (delayMs === 0) server.respond(answer, nowMs);
    else
      this.#delayed.start(
        () => server.respond(answer, this.#ports.clock.monoMs()),
        'answer',
        nowMs + delayMs,
      );
  }

  #authError({ deviceId, reason, method, source }: AuthError, request: SipRequest): void {
    const requestUri = request.uriText;
    this.#parts.alarms.raise({ type: 'authError', deviceId, reason, method, requestUri, sourceIp: source });
  }
}

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

const unreadable = (reason: string): Result<never, ScaipRefusal> => ({
  ok: false,
  error: { code: 'Refused', reason, snu: SNU.invalidFormat, ref: '0' },
});
