import { addressUserOf } from '#shared/address-user.ts';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { SendAlarmEventRequest } from '#shared/contract/runtime/index.ts';
import { type RandomBytes, uuid } from '#shared/id.ts';
import type { DataSubject } from '#shared/matching/index.ts';
import { type Failure, ok, type Result } from '#shared/result.ts';
import type { ActiveCall, CallControl } from '../../call/control/index.ts';
import type { NextHopResolver, TrunkGroup } from '../../call/trunk/index.ts';
import type { CallbackCall, CallbackPorts } from '../../delivery/callback/index.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { AlarmSender } from '../../operation/index.ts';
import type { Registrations } from '../../registration/registrations.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { Hash } from '../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { AesCbc } from '../protocol/dc09/index.ts';
import type { AlarmReceiver } from '../receiver/index.ts';
import type { DeviceReply } from '../receiving/adapter/device-reply.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { CommandParameters } from '../session/index.ts';
import type { AlarmVoice, CommandOutcome } from '../voice/index.ts';
import type { AttemptPlan } from './attempt/attempt.ts';
import { Attempts } from './attempt/attempts.ts';
import { type FrameCaller, FrameLines } from './attempt/frame-line.ts';
import { MessageLine } from './attempt/message-line.ts';
import { CalledAlarms } from './called/called-alarms.ts';
import { DestinationMonitor } from './destination-monitor.ts';
import { Forwarding } from './forward.ts';
import { MappingFaults } from './mapping-faults.ts';
import { type MappingFault, mappedEvent } from './order/mapped-event.ts';
import { acceptedText, orderOf } from './order/send-request.ts';
import { addressOf } from './order/send-target.ts';
import type { ActiveSending, Idempotency, SendingInfo } from './session/active-sending.ts';
import { ControllerTable } from './session/controller-table.ts';
import { IdleControllers } from './session/idle-controllers.ts';
import { replyIdOf, SendReport } from './session/send-report.ts';
import { SendingSessions } from './session/sending-sessions.ts';
import { SpeechRelays } from './speech/speech-relays.ts';

type Ports = KernelPorts & TimerPorts & BytePorts & TenantPorts & JournalPorts & CallbackPorts & MediaPorts;

export interface AlarmSendingDependencies {
  readonly profiles: ProfileTables;
  readonly endpoint: SipEndpoint;
  readonly reach: NextHopResolver;
  readonly trunks: TrunkGroup;
  readonly hash: Hash;
  readonly calls: CallControl;
  readonly alarmSessions: AlarmSessions;
  readonly voice: AlarmVoice;
  readonly alarms: PlatformAlarms;
  readonly delivery: DeliveryService;
  readonly receiver: () => AlarmReceiver;
  readonly reply: DeviceReply;
  readonly registrations: Pick<Registrations, 'contactsOf'>;
  /** Carries DC-09 frames; without it they cannot be sent. */
  readonly frames: FrameCaller | undefined;
  readonly aesCbc: AesCbc;
}

/** The immediate answer to an application. */
export interface Taken {
  readonly traceId: string;
  readonly sessionId: string;
  readonly replyId: string;
  readonly message: string;
}

type AskFailure = Failure<
  | 'invalid'
  | 'noReceiver'
  | 'noEventSender'
  | 'noRoute'
  | 'overloaded'
  | 'storeFailed'
  | 'idempotencyConflict'
>;

/** Everything that sends alarms to receivers, joined: sessions, attempts, speech, forwarding, supervision. */
export class AlarmSending {
  readonly sessions: SendingSessions;
  readonly talks: SpeechRelays;
  readonly calledAlarms: CalledAlarms;
  readonly forwarding: Forwarding;
  readonly watches: DestinationMonitor;
  readonly #ports: Ports;
  readonly #controllers: ControllerTable;
  readonly #faults: MappingFaults;
  readonly #idle: IdleControllers;
  readonly #receiver: () => AlarmReceiver;
  readonly #frames: FrameLines | undefined;
  readonly #frameTimers: TimerScope<'answer'>;

  constructor(ports: Ports, dependencies: AlarmSendingDependencies) {
    this.#ports = ports;
    this.#receiver = dependencies.receiver;
    const { endpoint, reach, trunks, hash, calls, alarms, delivery } = dependencies;
    this.#faults = new MappingFaults(ports, alarms);
    const controllers = new ControllerTable(ports, dependencies.profiles);
    this.#controllers = controllers;
    const line = new MessageLine(ports, { endpoint, reach, trunks, hash });
    this.#frameTimers = ports.timers.scope((key) => this.sessions.turn(() => this.#frames?.timer(key)));
    this.#frames =
      dependencies.frames && this.#framesOver(dependencies.frames, dependencies.aesCbc, ports.random);
    const frames = this.#frames;
    this.calledAlarms = new CalledAlarms(ports, dependencies);
    this.talks = new SpeechRelays(ports, {
      called: { ...dependencies, strings: this.calledAlarms },
      calls,
      media: ports.media,
      alarms,
      turn: (work) => this.sessions.turn(work),
      commandForwarded: (session, command) => this.forwarding.command(session, command),
    });
    this.sessions = new SendingSessions(ports, {
      attempts: (turn) =>
        new Attempts(ports, {
          calls,
          line,
          frames,
          turn,
          deviceLeg: (session) => this.forwarding.deviceLeg(session),
          profiles: dependencies.profiles,
          reached: (plan, remote) => controllers.reached(plan, remote),
          post: (plan) => this.#posted(plan),
        }),
      report: new SendReport(ports, delivery, alarms),
      profiles: dependencies.profiles,
      controllers,
      nextSequence: () => frames?.nextSequence() ?? '0001',
      talks: {
        begin: (_, plan, speech) => this.talks.begin(plan, speech),
        command: (id, command) => this.talks.command(id, command),
        lineOver: (id, reason, hasHungUp) => this.talks.lineOver(id, reason, hasHungUp),
        passes: (id) => this.talks.passes(id),
        has: (id) => this.talks.has(id),
      },
      callInstead: (known, destination) => this.#callInstead(known, destination),
      signOfLife: ({ order, address }, answered, reason) =>
        this.watches.onSendResult(order.mapperId, address.destination, answered, reason),
    });
    this.watches = new DestinationMonitor(ports, {
      alarms,
      line,
      frames,
      profiles: dependencies.profiles,
      turn: (work) => this.sessions.turn(work),
    });
    calls.claimedBy((request, caller) => {
      const called = addressUserOf(request.uriText);
      const id =
        caller.kind === 'own'
          ? undefined
          : (this.talks.awaited(called) ?? this.sessions.arrivals.awaited(called));
      return id === undefined
        ? undefined
        : { route: { kind: 'application', service: 'sending', id, user: '' } };
    });
    calls.otherwiseBy((request) => {
      const id = this.#idle.called(addressUserOf(request.uriText));
      return id === undefined ? undefined : { kind: 'application', service: 'sending', id, user: '' };
    });
    this.#idle = new IdleControllers(ports, {
      ...{ calls, controllers, attempts: this.sessions.attempts, arrivals: this.sessions.arrivals },
      turn: (work) => this.sessions.turn(work),
    });
    calls.onApplication.set('sending', ({ id, call }) => this.sessions.turn(() => this.#arrived(id, call)));
    this.forwarding = new Forwarding(ports, {
      faults: this.#faults,
      sending: this.sessions,
      talks: this.talks,
      alarmSessions: dependencies.alarmSessions,
      voice: dependencies.voice,
      alarms,
    });
  }

  /** sendalarmevent: the event is stored, then answered. Callbacks report its result. */
  async ask(
    said: SendAlarmEventRequest,
    idempotency: Idempotency | undefined,
  ): Promise<Result<Taken, AskFailure>> {
    const before = idempotency === undefined ? ok(undefined) : this.sessions.known(idempotency);
    if (!before.ok) return before;
    if (before.value !== undefined) return ok(this.#taken(before.value));
    const traceId = said.traceId ?? uuid(this.#ports.random(16));
    const onFault = (fault: MappingFault) => this.#faults.report(fault, traceId);
    const asked = orderOf(said, this.#ports.tenant(), this.#receiver(), traceId, onFault);
    if (!asked.ok) return asked;
    if (asked.value.kind === 'dropped')
      return ok({ traceId, sessionId: '', replyId: '', message: asked.value.message });
    const accepted = await this.sessions.accept(asked.value.order, {
      traceId,
      ...(idempotency !== undefined && { idempotency }),
    });
    return accepted.ok ? ok(this.#taken(accepted.value)) : accepted;
  }

  /** Whether this sending session has a call that a device may be in. */
  speaks(sessionId: string): boolean {
    return this.talks.has(sessionId);
  }

  /** A command of an application to the device of a sending session. */
  command(
    sessionId: string,
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    done: (outcome: CommandOutcome) => void,
  ): void {
    this.sessions.turn(() => {
      if (!this.talks.ask(sessionId, command, parameters, done))
        done({ kind: 'failed', code: 'noVoiceCall', reason: 'the call of this session is over' });
    });
  }

  /** Ends a sending session, whatever it does now; false: there is none of this name. */
  hangUp(sessionId: string): boolean {
    const talking = this.talks.has(sessionId);
    if (!talking && this.sessions.bySession(sessionId) === undefined) return false;
    this.sessions.turn(() => this.talks.hangUp(sessionId));
    this.sessions.cancel(sessionId, 'the application has ended the session (hangupalarmcall)');
    return true;
  }

  /** sendalarmevent as operations reach it. */
  readonly sender: AlarmSender = {
    send: (said, key) =>
      this.ask(
        said,
        key === undefined ? undefined : { key, bodyHash: this.#ports.sha256Hex(JSON.stringify(said)) },
      ),
  };

  /**
   * Takes a MESSAGE of a receiver about an event of ours, or of a device that we have called.
   * @returns false when it is neither
   */
  take(request: SipRequest, flow: Flow): boolean {
    return (
      this.sessions.attempts.take(request, flow) ||
      this.talks.take(request, flow) ||
      this.#idle.take(request, flow.remoteAddress)
    );
  }

  /**
   * Takes a MESSAGE of a proven sender, from any address, to a controller that we speak for.
   * @returns false when it is to no such controller
   */
  asked(request: SipRequest): boolean {
    return this.#idle.take(request);
  }

  /** The data of a person is erased: nothing in memory names the person any more. */
  forget(subject: DataSubject): void {
    this.#controllers.forget(subject);
  }

  /** `only`: sessions that another host of the site was sending. `later`: they wait for `goOn`. */
  restore(which: { readonly only?: ReadonlySet<string>; readonly later?: boolean } = {}): void {
    this.#controllers.restore();
    this.sessions.restore(which);
  }

  /** Requests can leave from now on: events of an earlier run go on. */
  goOn(): void {
    this.sessions.goOn();
  }

  /** The configuration changed: events of an earlier run may go on, and other receivers are supervised. */
  follow(): void {
    this.sessions.follow();
    this.watches.follow();
  }

  #arrived(id: string, call: ActiveCall): void {
    if (this.talks.has(id)) this.talks.arrived(id, call);
    else if (!this.#idle.arrived(id, call))
      this.sessions.arrivals.arrived(id, call, (work) => this.sessions.turn(work));
  }

  #framesOver(caller: FrameCaller, aes: AesCbc, random: RandomBytes): FrameLines {
    const { clock, run } = this.#ports;
    return new FrameLines({
      caller,
      sealing: { aes, random },
      wallMs: clock.wallMs,
      turn: (work) => this.sessions.turn(work),
      run,
      start: (key, ms) => this.#frameTimers.start(key, 'answer', clock.monoMs() + ms),
      stop: (key) => this.#frameTimers.stop(key, 'answer'),
    });
  }

  #taken(facts: SendingInfo): Taken {
    const { traceId, sessionId, protocol } = facts;
    const message = acceptedText(protocol, facts.order, this.#ports.tenant());
    return { traceId, sessionId, replyId: replyIdOf(this.#ports, facts), message };
  }

  /** The event as the target `callback` takes it: in its default shape, or as mappingRules write it. */
  #posted({ id, order, target, trace }: AttemptPlan): CallbackCall {
    const mapped = mappedEvent(target.mapper, {
      event: order.event,
      source: order.source,
      targetProtocol: target.protocol,
      sipFrom: order.callingParty,
      domain: this.#ports.tenant().domain,
      traceId: trace.traceId,
    });
    const post = mapped.kind === 'send' ? mapped.post : { path: '', body: {}, headers: {}, isOwn: true };
    const ownBody = { sessionId: id, ivrServer: this.#ports.place.address, ...(post.body as object) };
    const asked = { ...ownBody, sourceAlarmProtocol: 'api', calledParty: '', sourceAlarmEvent: {} };
    const body = post.isOwn ? post.body : order.toApplication === true ? asked : ownBody;
    const { path, headers, isOwn } = post;
    return {
      traceId: trace.traceId,
      path,
      headers,
      body: JSON.stringify(body) ?? '{}',
      eventSeq: 1,
      shape: isOwn ? 'custom' : 'default',
    };
  }

  /** A person is called, who speaks with the device. */
  #callInstead({ facts, target, form, trace }: ActiveSending, destination: string): void {
    if (target === undefined || this.forwarding.callInstead(facts, destination)) return;
    const { sessionId: id, order, reference } = facts;
    const plan: AttemptPlan = {
      id,
      order,
      reference,
      target,
      address: addressOf(target, 'primary'),
      form: form ?? { kind: 'voicecall' },
      trace,
    };
    this.talks.begin(plan, { kind: 'call', destination, direction: 'duplex' });
  }
}
