import { uuid } from '#shared/id.ts';
import { cliKey } from '#shared/matching/index.ts';
import type { NowIpAdapter } from '../alarm/nowip/nowip-adapter.ts';
import type { ProfileTables } from '../alarm/profile/index.ts';
import type { MessageProtocol } from '../alarm/protocol/index.ts';
import type { AlarmReceiver, ReceiverBridge } from '../alarm/receiver/index.ts';
import type { DeviceReply } from '../alarm/receiving/adapter/device-reply.ts';
import type { MessageAdapter } from '../alarm/receiving/adapter/message-adapter.ts';
import type { ScaipAdapter } from '../alarm/receiving/adapter/scaip-adapter.ts';
import { matchedReceiver } from '../alarm/receiving/arrival.ts';
import { type MessageKind, messageKind } from '../alarm/receiving/message-kind.ts';
import { isKnownUnit, type MessageAlarm, readMessage } from '../alarm/receiving/message-reading.ts';
import type { AlarmSending } from '../alarm/sending/index.ts';
import {
  type AlarmCaller,
  type CallControl,
  type CallRouter,
  InviteRate,
  type InviteRates,
  isInside,
} from '../call/control/index.ts';
import type { SipMessages } from '../call/message/index.ts';
import type { CallPurpose } from '../call/session/index.ts';
import type { QueuePorts } from '../delivery/command-queue.ts';
import type { JournalPorts } from '../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts, RefusalPorts } from '../kernel/port.ts';
import { SessionTrace } from '../kernel/session-trace.ts';
import { namedPorts, userOf } from '../registration/device-place.ts';
import { isProof, type Registrations } from '../registration/registrations.ts';
import type { TenantPorts } from '../replica/index.ts';
import {
  type AuthError,
  type Authenticator,
  type Decision,
  type RequestFacts,
  requestFacts,
} from '../sip/auth/index.ts';
import type { Flow, ServerTransaction } from '../sip/endpoint/index.ts';
import type { HeaderFields, SipRequest } from '../sip/message/index.ts';
import { DigestFallbacks } from './digest-fallback.ts';

type Ports = KernelPorts & TimerPorts & BytePorts & TenantPorts & QueuePorts & RefusalPorts & JournalPorts;
type Protocol = ReceiverBridge['protocol'];

export interface SipIngressDependencies {
  readonly authenticator: Authenticator;
  readonly scaip: ScaipAdapter;
  readonly nowip: NowIpAdapter;
  /** One for each row of `protocols`. */
  readonly answering: readonly MessageAdapter[];
  readonly protocols: readonly MessageProtocol[] | undefined;
  readonly registrations: Registrations;
  readonly messages: SipMessages;
  /** Answers of receivers to what we send. */
  readonly sending: Pick<AlarmSending, 'take' | 'asked'>;
  readonly reply: DeviceReply;
  readonly alarms: PlatformAlarms;
  readonly receiver: () => AlarmReceiver;
  readonly calls: CallControl;
  readonly router: CallRouter;
  /** The purpose of a call, as far as its INVITE shows it. */
  readonly purposeOf: (request: SipRequest) => CallPurpose;
  readonly profiles: ProfileTables;
  /** New calls that may begin; absent: the usual. */
  readonly inviteRate: InviteRates | 'off' | undefined;
}

/** Seconds for a unit beyond the budget of unknown ones; a device with a further receiver tries that meanwhile. */
const UNKNOWN_RETRY_AFTER_S = 30;

/** A request with what was settled about it on the way. */
interface Arrival {
  readonly request: SipRequest;
  readonly server: ServerTransaction;
  readonly flow: Flow;
  readonly nowMs: number;
}

/**
 * The transaction user for requests outside a dialog: it identifies the sender, decides whether the request may go on, and
 * hands it to its engine. A MESSAGE with an alarm gets its 200 here, at once: that it arrived, and nothing more.
 */
export class SipIngress {
  readonly #ports: Ports;
  readonly #dependencies: SipIngressDependencies;
  readonly #timers: TimerScope<'answer'>;
  /** Answers that are held back for a while, by the owner of their timer: a source with a bad standing waits. */
  readonly #delayed = new Map<string, () => void>();
  #held = 0;
  readonly #rate: InviteRate;
  readonly #fallbacks: DigestFallbacks;

  constructor(ports: Ports, dependencies: SipIngressDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#fallbacks = new DigestFallbacks(ports, dependencies.alarms);
    this.#rate = new InviteRate(dependencies.inviteRate);
    this.#timers = ports.timers.scope((held) => {
      const answer = this.#delayed.get(held);
      this.#delayed.delete(held);
      answer?.();
    });
  }

  deliver(request: SipRequest, server: ServerTransaction, flow: Flow, nowMs: number): void {
    const arrival = { request, server, flow, nowMs };
    if (request.method === 'MESSAGE') this.#message(arrival);
    else if (request.to.tag !== undefined) this.#dependencies.calls.requested(request, server, nowMs);
    else if (request.method === 'INVITE') this.#invite(arrival);
    else if (request.method === 'REGISTER') this.#register(arrival);
    else server.respond({ status: 481 }, nowMs);
  }

  #register(arrival: Arrival): void {
    const facts = requestFacts(arrival.request, arrival.flow);
    const decision = this.#identify(arrival, facts);
    if (decision?.identity.kind === 'device') {
      this.#dependencies.registrations.register(arrival, decision.identity.account);
    } else if (decision !== undefined) arrival.server.respond({ status: 403 }, arrival.nowMs);
  }

  #invite(arrival: Arrival): void {
    const { request, server, flow, nowMs } = arrival;
    if (isInside(flow)) {
      this.#dependencies.calls.arrive({ ...arrival, caller: { kind: 'own', trunkGroupId: undefined } });
      return;
    }
    const alarmCaller = () => this.#alarmCaller(request);
    const waitS = this.#rate.refuses(flow.remoteAddress, nowMs, alarmCaller);
    if (waitS !== undefined) {
      this.#ports.sessions?.attempted(flow.remoteAddress, 'rate');
      refuseFor(waitS, arrival);
      return;
    }
    const { calls, router } = this.#dependencies;
    const said = requestFacts(request, flow);
    const claim = calls.claims(request, router.deviceCaller(said.fromUser));
    const ownAlarmSession = claim !== undefined && (claim.onlyFrom?.includes(flow.remoteAddress) ?? true);
    const identity = this.#identify(arrival, { ...said, ownAlarmSession })?.identity;
    const caller = identity && router.callerOf(identity);
    const fullS = caller && this.#rate.refusesKnown(nowMs, alarmCaller);
    if (fullS !== undefined) refuseFor(fullS, arrival);
    else if (caller !== undefined) calls.arrive({ ...arrival, caller });
    else if (identity !== undefined) server.respond({ status: 403 }, nowMs);
  }

  /** The caller with an alarm or in an emergency, before it has proved its identity; undefined: the call is an ordinary one. */
  #alarmCaller(request: SipRequest): AlarmCaller | undefined {
    const purpose = this.#dependencies.purposeOf(request);
    if (purpose !== 'alarm' && purpose !== 'emergency') return undefined;
    const user = userOf(request.from.uriText);
    const tenant = this.#ports.tenant();
    return { deviceId: (tenant.byId(user) ?? tenant.byCli(cliKey(user)))?.deviceId };
  }

  #message(arrival: Arrival): void {
    const { request, flow } = arrival;
    const { receiver } = this.#dependencies;
    // A receiver is known by the reference of our own request, or by the address that we sent it to.
    if (this.#dependencies.sending.take(request, flow)) {
      arrival.server.respond({ status: 200 }, arrival.nowMs);
      return;
    }
    const said = requestFacts(request, flow);
    const what = messageKind(request, this.#ports.inflate);
    const taken = this.#takerOf(request, said, what.kind);
    // LACS does not name itself: where no receiver of the tenant speaks it, other XML is no alarm.
    const isAlarm = what.isAlarm || (what.kind === 'lacs' && receiver().speaksLacs);
    const alarm = taken?.alarm;
    const cid = alarm?.kind === 'scaip' && alarm.decoded.ok ? alarm.decoded.value.cid : undefined;
    const facts = { ...said, alarm: alarm !== undefined ? { cid } : undefined };
    const decision = this.#identify(arrival, facts);
    if (decision === undefined) {
      // The answer asked the sender to authenticate, and the sender may never do so: whatever its identity, its alarm has
      // reached no receiver.
      if (taken === undefined && isAlarm) this.#dependencies.messages.lost(facts);
      return;
    }
    if (taken !== undefined) this.#alarm(arrival, taken.bridge, taken.alarm, facts, decision);
    else if (this.#dependencies.sending.asked(request))
      arrival.server.respond({ status: 200 }, arrival.nowMs);
    else {
      const bridge = receiver().bridgeFor(said.destination, 'message');
      this.#dependencies.messages.take(arrival, facts, {
        proven: isProven(decision.identity),
        bridge,
        isAlarm,
      });
    }
  }

  /**
   * The receiver of an alarm by MESSAGE, with what it reads: the first that takes its protocol, else the first that reads it at
   * all, as SCAIP answers what it cannot read.
   */
  #takerOf(request: SipRequest, { destination, fromUser }: RequestFacts, kind: MessageKind['kind']) {
    const { profiles, protocols } = this.#dependencies;
    const receiver = this.#dependencies.receiver();
    const { inflate } = this.#ports;
    const read = new Map<string, MessageAlarm | undefined>();
    const sender = (bridge: ReceiverBridge) => receiver.sender(bridge, { deviceId: undefined, fromUser });
    const reads = (bridge: ReceiverBridge): boolean => {
      if (!read.has(bridge.id))
        read.set(
          bridge.id,
          readMessage(request, bridge, { profiles, protocols, inflate, device: sender(bridge) }),
        );
      return read.get(bridge.id) !== undefined;
    };
    const deviceProtocol = (bridge: ReceiverBridge) =>
      sender(bridge)?.serviceData?.alarmBridge?.alarmProtocol;
    const bridge =
      (kind === 'message' ? undefined : receiver.bridgeFor(destination, kind, { reads, deviceProtocol })) ??
      receiver.anyBridge(destination, reads);
    const alarm = bridge && read.get(bridge.id);
    return bridge && alarm && { bridge, alarm };
  }

  /** A unit that is not provisioned has its turn after the others, or none, before anything is remembered or traced of it. */
  #alarm(
    arrival: Arrival,
    bridge: ReceiverBridge,
    alarm: MessageAlarm,
    facts: RequestFacts,
    accepted: Accepted,
  ): void {
    const { receiver, alarms } = this.#dependencies;
    const isKnown =
      accepted.identity.kind !== 'unknownUnit' || isKnownUnit(receiver(), bridge, alarm, facts.fromUser);
    if (isKnown) {
      this.#takeAlarm(arrival, bridge, alarm, facts, accepted);
      return;
    }
    const inTurn = (): void => {
      const nowMs = this.#ports.clock.monoMs();
      this.#takeAlarm({ ...arrival, nowMs }, bridge, alarm, facts, accepted);
    };
    if (alarms.strangers.takeAlarm(arrival.flow.remoteAddress, bridge.protocol, inTurn)) return;
    refuseFor(UNKNOWN_RETRY_AFTER_S, arrival);
    this.#ports.notLetIn?.('unknownUnit', arrival.flow.remoteAddress);
  }

  /** 200 before any logic: that it arrived, and nothing more; the answer of the protocol follows, or stands in it. */
  #takeAlarm(
    arrival: Arrival,
    bridge: ReceiverBridge,
    alarm: MessageAlarm,
    facts: RequestFacts,
    { identity }: Accepted,
  ): void {
    const { request, server, flow, nowMs } = arrival;
    const { reply, receiver, scaip, nowip, answering } = this.#dependencies;
    const trace = this.#traceOf(arrival, bridge, identity);
    const waits = responseModeOf(alarm) !== 'message';
    const replyPath = reply.open({
      flow: server.flow,
      device: request.from.uriText,
      ports: namedPorts(request, flow),
      us: request.to.uriText,
      contentType: contentTypeOf(alarm, request),
      waiting: waits ? server : undefined,
    });
    if (!waits) {
      server.respond({ status: 200 }, nowMs);
      trace.add('sipAnswered', { status: 200, reason: 'OK' });
    }
    const { fromUser, destination: calledParty } = facts;
    const proof = proofOf(identity);
    const proven = proof === undefined ? {} : { proof };
    const noted = request.warnings.length > 0 ? { warnings: request.warnings } : {};
    const came = {
      bridge,
      replyPath,
      fromUser,
      calledParty,
      sourceIp: flow.remoteAddress,
      ...proven,
      ...noted,
      trace,
    };
    switch (alarm.kind) {
      case 'scaip': {
        const { profile, decoded } = alarm;
        const said = decoded.ok ? decoded.value : undefined;
        const clue = said && { controllerId: said.cid, deviceId: said.did, callingParty: fromUser };
        const heartbeatIntervalMs = clue && receiver().find(bridge, clue).ownIntervalMs;
        const raw = request.body.toString('utf8', 0, 2_000);
        scaip.receive({ ...came, protocol: 'scaip', decoded, raw, profile, heartbeatIntervalMs });
        return;
      }
      case 'nowip':
        nowip.receive({ ...came, protocol: 'nowip', atm: alarm.atm, profile: alarm.profile });
        return;
      case 'answered': {
        const adapter = answering.find(({ name }) => name === alarm.protocol);
        adapter?.receive({ ...came, protocol: alarm.protocol as Protocol, message: alarm.message });
        return;
      }
    }
  }

  /** The trace of an alarm, up to the receiver that takes it. */
  #traceOf({ request, flow }: Arrival, bridge: ReceiverBridge, identity: Accepted['identity']): SessionTrace {
    const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions);
    const source = `${flow.remoteAddress}:${flow.remotePort}`;
    const { method, uriText: uri, callId } = request;
    const from = request.from.uriText;
    trace.add('sipReceived', { method, uri, from, transport: flow.transport, source, callId });
    const device = identity.kind === 'device' ? identity.account : undefined;
    const unknown = identity.kind === 'unknownUnit' ? { deviceId: identity.deviceId, known: false } : {};
    trace.add(
      'deviceIdentified',
      device === undefined ? unknown : { deviceId: device.deviceId, authType: device.authType },
    );
    trace.add('receiverMatched', matchedReceiver(bridge));
    return trace;
  }

  /** Undefined: the request has got its answer, or none. */
  #identify(arrival: Arrival, facts: RequestFacts): Accepted | undefined {
    const decision = this.#dependencies.authenticator.identify(facts, arrival.nowMs);
    if ('md5Alone' in decision) this.#fallbacks.report(decision.md5Alone);
    if (decision.outcome === 'accepted') return decision;
    const reason = failureOf(decision);
    if (reason !== undefined) this.#ports.notLetIn?.(reason, arrival.flow.remoteAddress);
    if (decision.outcome === 'ignored') arrival.server.abandon();
    else {
      const status = decision.outcome === 'challenged' ? 401 : 403;
      const challenges = decision.outcome === 'challenged' ? decision.challenges : [];
      const headers: HeaderFields = challenges.map((value) => ['WWW-Authenticate', value]);
      this.#answer(arrival, decision, { status, headers });
      if (decision.authError !== undefined) this.#authError(decision.authError, arrival.request);
    }
    return undefined;
  }

  /** A challenge has no transaction behind it and is never sent again by itself, whoever it goes to (RFC 3261 26.3.2.4). */
  #answer(
    { server, nowMs }: Arrival,
    { outcome, delayMs }: { readonly outcome: 'challenged' | 'refused'; readonly delayMs: number },
    answer: { status: number; headers: HeaderFields },
  ): void {
    const say = (atMs: number): void => {
      server.respond(answer, atMs);
      if (outcome === 'challenged') server.abandon();
    };
    if (delayMs === 0) say(nowMs);
    else {
      const held = String(++this.#held);
      this.#delayed.set(held, () => say(this.#ports.clock.monoMs()));
      this.#timers.start(held, 'answer', nowMs + delayMs);
    }
  }

  #authError({ deviceId, reason, method, source }: AuthError, request: SipRequest): void {
    const requestUri = request.uriText;
    const details = { deviceId, reason, method, requestUri };
    if (!this.#dependencies.alarms.raise({ type: 'authError', ...details, sourceIp: source })) return;
    const { domain } = this.#ports.tenant();
    this.#ports.queue?.tell('alarm', { event: 'authError', domain, deviceId, reason, method, requestUri });
  }
}

/** The failure in a decision; undefined = a first challenge, as everybody gets. */
const failureOf = (decision: Exclude<Decision, Accepted>): string | undefined =>
  decision.outcome === 'ignored'
    ? 'ignored'
    : (decision.authError?.reason ?? (decision.outcome === 'refused' ? 'refused' : undefined));

/** Without a transaction that remembers it (RFC 3261 8.2.7): what comes again is judged again. */
function refuseFor(waitS: number, { server, nowMs }: Arrival): void {
  server.respond({ status: 503, headers: [['Retry-After', String(waitS)]] }, nowMs);
  server.abandon();
}

/**
 * Identity behind a digest or a token. Chosen: a trunk proves none. It speaks for many devices, and mostly it is known by its address
 * alone, which counts by itself.
 */
const proofOf = (identity: Accepted['identity']): string | undefined =>
  identity.kind === 'device' &&
  (identity.account.authType === 'credentials' || identity.account.authType === 'userid')
    ? identity.account.deviceId
    : undefined;

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

/** Does a secret stand behind it: a password, a token, a trunk that was recognised? */
const isProven = (identity: Accepted['identity']): boolean =>
  identity.kind === 'trunk' || (identity.kind === 'device' && isProof(identity.account.authType));

/** NOW-IP answers by messages of its own. */
function responseModeOf(alarm: MessageAlarm) {
  if (alarm.kind === 'nowip') return 'message';
  return alarm.kind === 'answered' ? alarm.message.responseMode : alarm.profile.responseMode;
}

/** NOW-IP answers in the type it was asked in. */
function contentTypeOf(alarm: MessageAlarm, request: SipRequest): string {
  if (alarm.kind === 'answered') return alarm.message.contentType;
  if (alarm.kind === 'nowip') return request.contentType ?? alarm.profile.contentType;
  return alarm.profile.contentType;
}
