import { type Bs8521Fields, isBs8521Group } from '#shared/alarm-event/index.ts';
import {
  type Atm,
  commandFor,
  initial,
  type NowIpEffect,
  type NowIpInput,
  type NowIpProfile,
  type NowIpReceiver,
  step,
} from '../alarm/protocol/nowip/index.ts';
import type { AlarmReceiver } from '../alarm/receiver/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import type { AlarmFront, FrontInput, KeptFront, RestoredFront } from './alarm-front.ts';
import type { Arrival, DeviceSeen } from './alarm-intake.ts';
import type { DeviceReply, Way } from './device-reply.ts';
import { earlier, NamedTimers } from './named-timers.ts';
import {
  type Alarm,
  arrivalOf,
  DroppedAlarms,
  type Kept,
  type Line,
  lineOf,
  type NowIpDeskParts,
  senderOf,
} from './nowip-line.ts';
import { NowIpOrders } from './nowip-orders.ts';
import { NowIpScheme, unitEvent } from './nowip-scheme.ts';
import type { RuntimePorts } from './port.ts';
import type { ProfileBook } from './profile/index.ts';
import {
  type AlarmVoiceDesk,
  asProvisioned,
  type Commander,
  callEvent,
  type DeviceCall,
  type DeviceCallDesk,
  type DeviceCallUser,
} from './voice/index.ts';

/** One NOW-IP message, past authentication. */
export interface IncomingNowIp extends Arrival {
  readonly atm: Atm;
  readonly way: Way;
  readonly profile: NowIpProfile;
}

const MOST_SENDERS = 50_000;

/**
 * Joins NOW-IP controllers to the alarm sessions: the alarm comes by MESSAGE, its speech by an INVITE of the same
 * identity, in either order; commands are messages beside the call.
 */
export class NowIpDesk implements AlarmFront, DeviceCallDesk {
  readonly name = 'nowip';
  readonly #ports: RuntimePorts;
  readonly #desk: AlarmDesk;
  readonly #voice: AlarmVoiceDesk;
  readonly #reply: DeviceReply;
  readonly #profiles: ProfileBook;
  readonly #receiver: () => AlarmReceiver;
  /** By bridge and sender; least recently used first. */
  readonly #receivers = new Map<string, NowIpReceiver>();
  readonly #alarms = new Map<string, Alarm>();
  readonly #lines = new Map<string, Line>();
  readonly #orders: NowIpOrders;
  readonly #dropped = new DroppedAlarms();
  readonly #timers: NamedTimers<'message'>;
  /** Alarms on the disk whose device may ask again, with the end of that time (monotonic ms). */
  readonly #stored = new Map<string, number>();
  onHeartbeat: (seen: DeviceSeen) => void = () => {};

  constructor(ports: RuntimePorts, parts: NowIpDeskParts) {
    this.#ports = ports;
    this.#desk = parts.desk;
    this.#voice = parts.voice;
    this.#reply = parts.reply;
    this.#profiles = parts.profiles;
    this.#receiver = parts.receiver;
    this.#timers = new NamedTimers(ports.clock.monoMs());
    this.#orders = new NowIpOrders(ports, parts.reply);
    this.#desk.join(this);
  }

  receive(came: IncomingNowIp): void {
    const sender = senderOf(came.bridge.id, came.fromUser);
    const line = this.#waitingLine(sender);
    this.#desk.turn(() =>
      this.#step(
        sender,
        {
          type: 'message',
          at: this.#now(),
          wallMs: this.#ports.clock.wallMs(),
          to: came.way.id,
          atm: came.atm,
          ...(line !== undefined && { call: line.call.id }),
        },
        came,
      ),
    );
  }

  /** A call of a controller: its alarm comes beside it, or came already. */
  incoming(call: DeviceCall): DeviceCallUser {
    const sender = senderOf(call.bridge.id, call.fromUser);
    const line = lineOf(call, sender, this.#ports, (id, outcome) => this.#voice.outcome(id, outcome));
    this.#lines.set(call.id, line);
    call.answer();
    const turn = (work: () => void) => this.#desk.turn(work);
    return {
      answered: () => turn(() => this.#answered(line)),
      heard: (event) => turn(() => line.tones.heard(event)),
      joined: () => turn(() => line.conversation && this.#voice.joined(line.conversation)),
      left: (reason) => turn(() => line.conversation && this.#voice.left(line.conversation, reason)),
      ended: () => turn(() => this.#ended(line)),
    };
  }

  /** An alarm of this controller is here: it may call without another proof. */
  waits(bridgeId: string, fromUser: string): boolean {
    const its = senderOf(bridgeId, fromUser);
    return this.#dropped.has(its) || [...this.#alarms.values()].some(({ sender }) => sender === its);
  }

  get nextDueMs(): number | undefined {
    return earlier(this.#timers.nextDueMs, this.#orders.nextDueMs);
  }

  advance(nowMs: number): void {
    const turn = (work: () => void) => this.#desk.turn(work);
    for (const { owner } of this.#timers.advance(nowMs)) turn(() => this.#noMessage(owner));
    this.#orders.advance(nowMs, turn);
  }

  input(conversation: string, input: FrontInput): void {
    const alarm = this.#alarms.get(conversation);
    if (input.type === 'decision') {
      const { kind } = input.decision;
      const voice = kind === 'noVoice' ? 'none' : kind === 'notHandled' ? 'refused' : 'deviceCalls';
      this.#voice.answered(conversation, voice);
      return;
    }
    if (alarm === undefined) return;
    const { message, sender } = alarm;
    const at = this.#now();
    if (input.type === 'stored')
      this.#step(sender, { type: 'stored', at, wallMs: this.#ports.clock.wallMs(), message }, undefined);
    else if (input.type === 'storeFailed')
      this.#step(sender, { type: 'storeFailed', at, message }, undefined);
    if (input.type !== 'sessionEnded') {
      alarm.taken = input.type === 'stored';
      this.#lineOf(conversation)?.scheme?.stored(alarm.taken);
    }
    if (input.type === 'stored') return;
    if (
      input.type === 'sessionEnded' &&
      alarm.fields !== undefined &&
      this.#lineOf(conversation) === undefined
    )
      this.#dropped.add(alarm, this.#now());
    this.#alarms.delete(conversation);
    this.#orders.drop(conversation);
  }

  keep(conversation: string): KeptFront {
    const kept: Kept = { conversation };
    return { body: kept, dedupeKey: conversation, dedupeMs: this.#dedupeMs(conversation) };
  }

  alsoStored(): readonly [] {
    return [];
  }

  eventStored(conversation: string): void {
    const nowMs = this.#now();
    for (const [known, untilMs] of this.#stored) {
      if (untilMs > nowMs) break;
      this.#stored.delete(known);
    }
    this.#stored.set(conversation, nowMs + this.#dedupeMs(conversation));
  }

  conversationOf(body: unknown): string | undefined {
    return (body as Kept | null)?.conversation;
  }

  restore({ body }: RestoredFront): void {
    this.eventStored((body as Kept).conversation);
  }

  /** Of a device whose alarm an earlier life took: as the profile is now. */
  #dedupeMs(conversation: string): number {
    return (this.#alarms.get(conversation)?.profile ?? this.#profiles.nowip()).dedupeMs;
  }

  // The alarm

  #step(sender: string, input: NowIpInput, came: IncomingNowIp | undefined): void {
    const { state, effects } = step(
      this.#receivers.get(sender) ?? initial(came?.profile ?? this.#profiles.nowip()),
      input,
    );
    this.#receivers.delete(sender);
    if (state.taken.length > 0) this.#receivers.set(sender, state);
    const [oldest] = this.#receivers.keys();
    if (this.#receivers.size > MOST_SENDERS && oldest !== undefined) this.#receivers.delete(oldest);
    for (const effect of effects) this.#perform(sender, effect, came);
  }

  #perform(sender: string, effect: NowIpEffect, came: IncomingNowIp | undefined): void {
    switch (effect.type) {
      case 'answer':
        this.#reply.say(effect.to, effect.xml, came?.trace);
        return;
      case 'silence':
      case 'trace':
        came?.trace.add('note', { text: effect.type === 'silence' ? effect.reason : effect.text });
        return;
      case 'heartbeat':
        if (came !== undefined)
          this.onHeartbeat({
            bridge: came.bridge,
            controllerId: effect.controllerId,
            deviceId: effect.deviceId,
            callingParty: came.fromUser,
          });
        return;
      case 'handOn':
        this.#orders.heard(sender, effect.atm);
        return;
      case 'event':
        if (came !== undefined) this.#event(sender, effect, came);
        return;
    }
  }

  #event(sender: string, effect: NowIpEffect & { readonly type: 'event' }, came: IncomingNowIp): void {
    const { message } = effect;
    const fields = effect.fields && asProvisioned(effect.fields, came.bridge, this.#receiver());
    const conversation = `nowip ${sender} ${message}`;
    const { way, profile } = came;
    const alarm: Alarm = { sender, message, way, profile, ...(fields && { fields }), taken: false };
    this.#alarms.set(conversation, alarm);
    if ((this.#stored.get(conversation) ?? 0) > this.#now()) {
      this.#desk.turn(() => this.input(conversation, { type: 'stored', ordinal: 0 }));
      return;
    }
    const name = { text: conversation, withinMs: came.profile.dedupeMs };
    this.#desk.event(this, { conversation, said: { ...effect, kind: 'first', name }, arrival: came });
    const line = this.#waitingLine(sender);
    if (line !== undefined) this.#attach(line, conversation);
  }

  // The call beside it

  #lineOf(conversation: string): Line | undefined {
    for (const line of this.#lines.values()) if (line.conversation === conversation) return line;
    return undefined;
  }

  #waitingLine(sender: string): Line | undefined {
    for (const line of this.#lines.values())
      if (line.sender === sender && line.conversation === undefined) return line;
    return undefined;
  }

  #answered(line: Line): void {
    line.answered = true;
    if (line.conversation !== undefined) return;
    for (const [conversation, { sender }] of this.#alarms) {
      if (sender !== line.sender || this.#voice.callOf(conversation) !== undefined) continue;
      this.#attach(line, conversation);
      return;
    }
    const dropped = this.#dropped.take(line.sender, this.#now());
    if (dropped !== undefined) {
      this.#clear(line, dropped);
      return;
    }
    const { messageAfterInviteMs } = this.#profileOf(line.call.bridge);
    this.#timers.start(line.call.id, 'message', this.#now() + messageAfterInviteMs);
  }

  /** Nobody is to speak with it: it is told not to call again; of a scheme the others are asked for. */
  #clear(line: Line, alarm: Alarm): void {
    line.isDropped = true;
    line.scheme = this.#schemeOf(line, '', alarm);
    if (line.scheme !== undefined) line.scheme.begin();
    else this.#orders.send(line.call.id, alarm, { kind: 'clearDown' }, () => line.call.hangUp('clear-down'));
  }

  #profileOf({ protocol, protocolProfile }: DeviceCall['bridge']): NowIpProfile {
    return protocol === 'nowipcontroller'
      ? this.#profiles.nowIpController(protocolProfile)
      : this.#profiles.nowip(protocolProfile);
  }

  #attach(line: Line, conversation: string): void {
    line.conversation = conversation;
    this.#timers.stop(line.call.id, 'message');
    const alarm = this.#alarms.get(conversation);
    line.scheme = alarm && this.#schemeOf(line, conversation, alarm);
    this.#voice.attach(
      conversation,
      line.call,
      this.#commander(conversation, line),
      line.scheme === undefined,
    );
    if (alarm?.taken === true) line.scheme?.begin();
  }

  /** No MESSAGE came beside the call: the call itself is the event. */
  #noMessage(callId: string): void {
    const line = this.#lines.get(callId);
    if (line === undefined || line.conversation !== undefined) return;
    this.#attach(line, this.#callIsEvent(line, ['noMessage'], true));
  }

  #callIsEvent({ call, sender }: Line, warnings: readonly string[], onTheLine: boolean): string {
    const conversation = `nowip ${sender} call ${call.id}`;
    const said = callEvent('voicecall', call.fromUser, '', warnings, onTheLine);
    this.#desk.event(this, { conversation, said, arrival: arrivalOf(call) });
    return conversation;
  }

  #ended(line: Line): void {
    this.#lines.delete(line.call.id);
    this.#timers.stop(line.call.id, 'message');
    this.#orders.drop(line.call.id);
    if (line.conversation !== undefined) this.#voice.ended(line.conversation);
    // It hung up before its MESSAGE came: somebody wanted help all the same.
    else if (!line.isDropped)
      this.#desk.turn(() => void this.#callIsEvent(line, ['noMessage', 'hungUp'], false));
  }

  #commander(conversation: string, line: Line): Commander {
    const { call, scheme } = line;
    return {
      get clearing() {
        return scheme?.clearing === true;
      },
      command: (id, command, parameters) => {
        if (command === 'sendTones') {
          line.tones.send(id, parameters);
          return;
        }
        // The session's own clear-down: units of a scheme are cleared one by one first.
        if (scheme !== undefined && command === 'clearDown' && id === undefined) {
          scheme.finish();
          return;
        }
        const alarm = this.#alarms.get(conversation);
        const found = commandFor(command);
        if (!found.ok) {
          const { reason } = found.error;
          this.#voice.outcome(id, { kind: 'failed', code: 'commandNotSupported', reason });
        } else if (alarm !== undefined)
          this.#orders.send(conversation, alarm, found.value, (outcome) => {
            this.#voice.outcome(id, outcome);
            if (command === 'clearDown') call.hangUp('clear-down');
          });
      },
    };
  }

  #schemeOf(line: Line, conversation: string, alarm: Alarm): NowIpScheme | undefined {
    const { fields } = alarm;
    if (fields === undefined || !isBs8521Group(fields)) return undefined;
    const { call } = line;
    return new NowIpScheme(fields, {
      order: (command, done) => this.#orders.send(call.id, alarm, command, done),
      speech: () =>
        line.isDropped && line.conversation === undefined
          ? line.scheme?.finish()
          : this.#voice.opened(line.conversation ?? conversation),
      nextUnit: (next) => this.#nextUnit(line, alarm, next),
      hangUp: () => call.hangUp('clear-down'),
    });
  }

  /** Another alarm of the scheme waited behind the one that is done: same call, a session of its own. */
  #nextUnit(line: Line, alarm: Alarm, fields: Bs8521Fields): void {
    const { call, sender } = line;
    if (line.conversation !== undefined) this.#voice.release(line.conversation);
    const conversation = `nowip ${sender} unit ${++line.units} of ${call.id}`;
    this.#alarms.set(conversation, { ...alarm, message: conversation, fields, taken: false });
    line.conversation = conversation;
    this.#desk.event(this, { conversation, said: unitEvent(fields), arrival: arrivalOf(call) });
    this.#voice.attach(conversation, call, this.#commander(conversation, line), false);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
