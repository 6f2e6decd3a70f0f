import { BoundedMap } from '#shared/bounded-map.ts';
import { Listeners } from '#shared/listeners.ts';
import type { TimerPorts } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import {
  type Atm,
  alarmText,
  initial,
  type NowIpEffect,
  type NowIpInput,
  type NowIpProfile,
  type NowIpReceiver,
  step,
} from '../protocol/nowip/index.ts';
import { NOWHERE, RepeatMemory } from '../protocol/repeat/index.ts';
import type { AlarmReceiver } from '../receiver/index.ts';
import type { DeviceReply, DeviceReplyPath } from '../receiving/adapter/device-reply.ts';
import type { DeviceSeen } from '../receiving/alarm-intake.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import { type Arrival, originOf } from '../receiving/arrival.ts';
import {
  type AdapterInput,
  answeredVoice,
  type PersistedAdapterState,
  type ProtocolAdapter,
  type RestoredAdapterState,
} from '../receiving/protocol-adapter.ts';
import {
  type AlarmVoice,
  asProvisioned,
  type DeviceCall,
  type DeviceCallHandler,
  type DeviceCallUser,
} from '../voice/index.ts';
import { NowIpCalls } from './nowip-calls.ts';
import {
  type Alarm,
  CALL_COMES_MS,
  EndedCalls,
  judged,
  type Kept,
  type Line,
  markOf,
  type NowIpAdapterDependencies,
  type ReportedAlarm,
  receiverOf,
  senderOf,
  UntilCalled,
} from './nowip-line.ts';
import { NowIpOrders } from './nowip-orders.ts';

type Ports = KernelPorts & TimerPorts & MediaPorts;

/** One NOW-IP message, past authentication. */
export interface IncomingNowIp extends Arrival {
  readonly atm: Atm;
  readonly replyPath: DeviceReplyPath;
  readonly profile: NowIpProfile;
}

const MOST_SENDERS = 50_000;
const MOST_STORED = 100_000;

/**
 * Joins NOW-IP controllers to the alarm sessions: the alarm comes by MESSAGE, its speech by an INVITE of the same
 * identity, in either order; commands are messages beside the call.
 */
export class NowIpAdapter implements ProtocolAdapter, DeviceCallHandler {
  readonly name = 'nowip';
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #voice: AlarmVoice;
  readonly #reply: DeviceReply;
  readonly #profiles: ProfileTables;
  readonly #receiver: () => AlarmReceiver;
  /** By bridge, sender and source; least recently used first. */
  readonly #receivers = new BoundedMap<string, NowIpReceiver>(MOST_SENDERS);
  readonly #alarms = new Map<string, Alarm>();
  readonly #orders: NowIpOrders;
  readonly #calls: NowIpCalls;
  readonly #dropped = new UntilCalled<Alarm>();
  /** Said again by senders whose call may follow. */
  readonly #again = new UntilCalled<IncomingNowIp>();
  readonly #ended = new EndedCalls();
  /** Alarms whose device may ask again: what an earlier life has stored, and what was said from elsewhere. */
  readonly repeats = new RepeatMemory<ReportedAlarm>(MOST_STORED);
  readonly heartbeat = new Listeners<[seen: DeviceSeen]>();

  constructor(ports: Ports, dependencies: NowIpAdapterDependencies) {
    this.#ports = ports;
    this.#alarmSessions = dependencies.alarmSessions;
    this.#voice = dependencies.voice;
    this.#reply = dependencies.reply;
    this.#profiles = dependencies.profiles;
    this.#receiver = dependencies.receiver;
    this.#orders = new NowIpOrders(ports, {
      say: (to, xml, trace) => this.#reply.say(to, xml, trace),
      turn: (work) => this.#alarmSessions.turn(work),
    });
    this.#calls = new NowIpCalls(ports, {
      ...dependencies,
      alarms: this.#alarms,
      dropped: this.#dropped,
      orders: this.#orders,
      called: (alarm, call) => this.#called(alarm, call),
      sayAgain: (line) => {
        const came = this.#again.take(line.sender, this.#now());
        if (came !== undefined) this.#said(came, line);
      },
      event: (event) => this.#alarmSessions.event(this, event),
    });
    this.#alarmSessions.join(this);
  }

  receive(came: IncomingNowIp): void {
    const sender = senderOf(came.bridge.id, came.fromUser);
    this.#alarmSessions.turn(() => this.#said(came, this.#calls.open(sender)));
  }

  /** `line`: the call that it is said in. */
  #said(came: IncomingNowIp, line: Line | undefined): void {
    const { atm, replyPath } = came;
    const sender = senderOf(came.bridge.id, came.fromUser);
    if (line !== undefined && this.#calls.waiting(sender) === line) this.#calls.goOn(line, alarmText(atm));
    const [at, wallMs] = [this.#now(), this.#ports.clock.wallMs()];
    const call = line && { call: line.call.id };
    this.#step(
      receiverOf(sender, came),
      { type: 'message', at, wallMs, to: replyPath.id, atm, ...call },
      came,
    );
  }

  /** A call of an alarm is that of every telling of it: its device has one, whatever its address is now. */
  #called({ sender, receiver, message, text }: Alarm, call: string): void {
    const at = this.#now();
    this.#step(receiver, { type: 'called', at, message, call }, undefined);
    for (const reported of this.repeats.of(markOf(sender, text), at))
      if (reported.receiver !== receiver)
        this.#step(reported.receiver, { type: 'called', at, message: reported.message, call }, undefined);
  }

  /** A call of a controller: its alarm comes beside it, or came already. */
  incoming(call: DeviceCall): DeviceCallUser {
    return this.#calls.incoming(call);
  }

  /** An alarm of this controller is here, or its call was just now: it may call without another proof. */
  waits(bridgeId: string, fromUser: string): boolean {
    return this.sources(bridgeId, fromUser).length > 0;
  }

  /** Addresses of these alarms. */
  sources(bridgeId: string, fromUser: string): readonly string[] {
    const its = senderOf(bridgeId, fromUser);
    const dropped = this.#dropped.find(its, this.#now());
    const open = [...this.#alarms.values()].filter(({ sender }) => sender === its);
    const alarms = dropped === undefined ? open : [...open, dropped];
    return [
      ...alarms.map(({ replyPath }) => replyPath.flow.remoteAddress),
      ...this.#ended.of(its, this.#now()),
    ];
  }

  input(conversation: string, input: AdapterInput): void {
    const alarm = this.#alarms.get(conversation);
    this.repeats.fate(conversation, input.type);
    if (input.type === 'decision') {
      this.#voice.answered(conversation, answeredVoice(input.decision));
      return;
    }
    if (alarm === undefined) {
      if (input.type === 'storeFailed' && input.ordinal === 0) this.#calls.notStored(conversation);
      return;
    }
    // The call that it was said in was an event before it.
    if (input.type !== 'sessionEnded' && input.ordinal !== alarm.ordinal) return;
    const { message, sender, receiver } = alarm;
    const at = this.#now();
    if (input.type === 'stored')
      this.#step(receiver, { type: 'stored', at, wallMs: this.#ports.clock.wallMs(), message }, undefined);
    else if (input.type === 'storeFailed')
      this.#step(receiver, { type: 'storeFailed', at, message }, undefined);
    if (input.type !== 'sessionEnded') {
      alarm.taken = input.type === 'stored';
      // A unit that was asked for stays in its scheme.
      const isUnit = message === conversation;
      if (alarm.ordinal > 0 && alarm.taken) this.#calls.explained(conversation, alarm);
      else if (alarm.ordinal === 0 && !alarm.taken && !isUnit) this.#calls.notStored(conversation);
      else this.#calls.of(conversation)?.scheme?.stored(alarm.taken);
    }
    const isLate = alarm.ordinal > 0;
    if (input.type === 'stored' && !(isLate && !this.#isRunning(conversation))) return;
    // Its device still waits for the acknowledge of what is on its way to the disk.
    if (input.type === 'sessionEnded' && isLate && !alarm.taken) return;
    if (input.type === 'sessionEnded' && this.#calls.of(conversation) === undefined) {
      // A unit that was on the line and calls again wants to speak. A unit that never was on the line is asked not to call once its
      // alarm is handled.
      const { remoteAddress } = alarm.replyPath.flow;
      if (alarm.called || !input.isDealtWith) this.#ended.add(sender, remoteAddress, this.#now());
      else if (alarm.fields !== undefined) this.#dropped.add(sender, alarm, at, CALL_COMES_MS);
      if (!alarm.called) this.#step(receiver, { type: 'called', at, message, call: null }, undefined);
    }
    this.#alarms.delete(conversation);
    this.#orders.drop(conversation);
  }

  keep(conversation: string): PersistedAdapterState {
    const reported = this.repeats.find(conversation);
    const kept: Kept = { conversation, ...(reported && { mark: reported.mark }) };
    return {
      body: kept,
      dedupeKey: conversation,
      dedupeMs: reported?.repeatMs ?? this.#dedupeMs(conversation),
    };
  }

  alsoStored(): readonly [] {
    return [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as Kept | null)?.conversation;
  }

  restore({ body, came }: RestoredAdapterState): void {
    const { conversation, mark = conversation } = body as Kept;
    const origin = came?.origin ?? NOWHERE;
    const repeatMs = this.#dedupeMs(conversation);
    const reported = { mark, conversation, origin, repeatMs, receiver: '', message: '', stored: true };
    this.repeats.add(reported, this.#now());
  }

  /** For a device whose alarm an earlier run took: as the profile is now. */
  #dedupeMs(conversation: string): number {
    return (this.#alarms.get(conversation)?.profile ?? this.#profiles.nowip()).dedupeMs;
  }

  // The alarm

  #step(receiver: string, input: NowIpInput, came: IncomingNowIp | undefined): void {
    const { state, effects } = step(
      this.#receivers.get(receiver) ?? initial(came?.profile ?? this.#profiles.nowip()),
      input,
    );
    this.#receivers.delete(receiver);
    if (state.taken.length > 0) this.#receivers.set(receiver, state);
    for (const effect of effects) this.#perform(effect, came);
  }

  #perform(effect: NowIpEffect, came: IncomingNowIp | undefined): void {
    switch (effect.type) {
      case 'answer':
        this.#reply.say(effect.to, effect.xml, came?.trace);
        return;
      case 'silence':
      case 'trace':
        came?.trace.add('note', { text: effect.type === 'silence' ? effect.reason : effect.text });
        return;
      case 'notUnderstood':
        came?.trace.add('note', { text: `message not understood: ${effect.reason}` });
        this.#ports.log('warn', 'nowip.message_not_understood', 'Could not understand a NOW-IP message', {
          reason: effect.reason,
          alarmBridgeId: came?.bridge.id,
          from: came?.fromUser,
          sourceIp: came?.sourceIp,
          traceId: came?.trace.traceId,
        });
        return;
      case 'heartbeat':
        if (came !== undefined)
          this.heartbeat.emit({
            bridge: came.bridge,
            controllerId: effect.controllerId,
            deviceId: effect.deviceId,
            callingParty: came.fromUser,
          });
        return;
      case 'handOn':
        if (came !== undefined) this.#orders.onAnswer(senderOf(came.bridge.id, came.fromUser), effect.atm);
        return;
      case 'event':
        if (came !== undefined) this.#event(effect, came);
        return;
      case 'again':
        if (came !== undefined)
          this.#again.add(
            senderOf(came.bridge.id, came.fromUser),
            came,
            this.#now(),
            came.profile.messageAfterInviteMs,
          );
        return;
    }
  }

  #event(effect: NowIpEffect & { readonly type: 'event' }, came: IncomingNowIp): void {
    const { message } = effect;
    const { replyPath, profile } = came;
    const sender = senderOf(came.bridge.id, came.fromUser);
    const receiver = receiverOf(sender, came);
    const fields = effect.fields && asProvisioned(effect.fields, came.bridge, this.#receiver());
    const text = alarmText(came.atm);
    const { mark, named, conversation, verdict } = judged(
      this.repeats,
      this.#alarms,
      message,
      came,
      this.#now(),
    );
    const alarm: Alarm = {
      sender,
      receiver,
      message,
      text,
      replyPath,
      profile,
      ...(fields && { fields }),
      ordinal: 0,
      taken: false,
      called: false,
    };
    if (verdict.kind === 'repeat' && verdict.of.conversation === conversation && verdict.of.stored) {
      this.#storedBefore(conversation, alarm, came);
      return;
    }
    if (verdict.kind === 'counted') {
      this.#alarmSessions.counted(verdict.of.conversation, came);
      const [at, wallMs] = [this.#now(), this.#ports.clock.wallMs()];
      // Not on the disk yet: the repeat gets the acknowledge.
      if (verdict.of.stored) this.#step(receiver, { type: 'stored', at, wallMs, message }, came);
      else this.#step(receiver, { type: 'storeFailed', at, message }, came);
      return;
    }
    const first = verdict.kind === 'possible' ? { possibleRepeatOf: verdict.of.conversation } : {};
    const reported = {
      mark,
      origin: originOf(came),
      repeatMs: profile.dedupeMs,
      receiver,
      message,
      stored: false,
    };
    const name = { text: named, withinMs: profile.dedupeMs };
    const takesBack = effect.kind === 'cleared' ? ({ withdraws: 'message' } as const) : {};
    const said = { ...effect, name, ...takesBack, ...first };
    const unexplained = this.#calls.unexplained(sender);
    if (unexplained?.conversation !== undefined && this.#goesOn(unexplained.conversation)) {
      this.repeats.add({ ...reported, conversation: unexplained.conversation }, this.#now());
      this.#late(unexplained, unexplained.conversation, { said, alarm, came });
      return;
    }
    this.repeats.add({ ...reported, conversation }, this.#now());
    this.#alarms.set(conversation, alarm);
    // A message that takes an alarm back is an event of its own.
    this.#alarmSessions.event(this, { conversation, said: { ...said, kind: 'first' }, arrival: came });
    const line = this.#calls.waiting(sender) ?? unexplained;
    if (line !== undefined) this.#calls.attach(line, conversation);
  }

  #isRunning(conversation: string): boolean {
    const state = this.#alarmSessions.caseOf(conversation)?.session.state;
    return state !== undefined && state !== 'closed';
  }

  /** Its call is not being cleared: what comes of its device belongs to it. */
  #goesOn(conversation: string): boolean {
    return (
      this.#isRunning(conversation) && this.#alarmSessions.caseOf(conversation)?.session.state !== 'clearing'
    );
  }

  /** The MESSAGE of a call that has become an event without it: another event of that session, which is spoken about already. */
  #late(
    line: Line,
    conversation: string,
    { said, alarm, came }: { said: ProtocolEvent; alarm: Alarm; came: IncomingNowIp },
  ): void {
    const ordinal = ++line.further;
    this.#alarms.set(conversation, { ...alarm, ordinal, called: true });
    const kind = said.kind === 'cleared' ? 'cleared' : 'further';
    const source = { ...said.source, warnings: [...said.source.warnings, 'lateMessage'] };
    this.#alarmSessions.event(this, {
      conversation,
      said: { ...said, ordinal, kind, source },
      arrival: came,
    });
    // A device that calls again has said it before that call.
    this.#again.add(alarm.sender, came, this.#now(), came.profile.messageAfterInviteMs);
  }

  /** An earlier life has stored it, or another host. Once its session is over a call of it is for a new one. */
  #storedBefore(conversation: string, alarm: Alarm, came: IncomingNowIp): void {
    const { sender, receiver, message, profile } = alarm;
    const isOpen = this.#isRunning(conversation);
    if (isOpen) this.#alarms.set(conversation, { ...alarm, taken: true });
    const at = this.#now();
    this.#step(receiver, { type: 'stored', at, wallMs: this.#ports.clock.wallMs(), message }, came);
    if (isOpen) return;
    this.#step(receiver, { type: 'called', at, message, call: null }, came);
    this.#again.add(sender, came, at, profile.messageAfterInviteMs);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
