import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import {
  type Atm,
  answerWaitMs,
  atmTime,
  commandFor,
  encodeAtm,
  encodeCommand,
  initial,
  meaningOf,
  type NowIpCommand,
  type NowIpEffect,
  type NowIpInput,
  type NowIpProfile,
  type NowIpReceiver,
  step,
} from '../alarm/protocol/nowip/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import type { AlarmFront, FrontInput, KeptFront, RestoredFront } from './alarm-front.ts';
import type { Arrival, DeviceSeen } from './alarm-intake.ts';
import type { DeviceReply, Way } from './device-reply.ts';
import { NamedTimers } from './named-timers.ts';
import type { RuntimePorts } from './port.ts';
import type { ProfileBook } from './profile/index.ts';
import {
  type AlarmVoiceDesk,
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

/** What is written of an alarm: enough to know its repeat. */
interface Kept {
  readonly conversation: string;
}

interface Alarm {
  readonly sender: string;
  readonly message: string;
  /** Where commands to the device go. */
  readonly way: Way;
  /** As the alarm began with it. */
  readonly profile: NowIpProfile;
}

/** A call whose MESSAGE has not come yet, or the alarm it belongs to. */
interface Line {
  readonly call: DeviceCall;
  readonly sender: string;
  conversation: string | undefined;
  answered: boolean;
}

interface Order {
  readonly id: string | undefined;
  readonly command: NowIpCommand;
  tries: number;
}

/** Chosen: as in BS 8521-1. */
const MOST_TRIES = 4;
/** A busy device is asked again (type 6). */
const BUSY_MS = 1_000;
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
  /** By bridge and sender; least recently used first. */
  readonly #receivers = new Map<string, NowIpReceiver>();
  readonly #alarms = new Map<string, Alarm>();
  readonly #lines = new Map<string, Line>();
  /** The command under way of each alarm, and those behind it. */
  readonly #orders = new Map<string, Order[]>();
  readonly #timers: NamedTimers<'message' | 'command'>;
  /** Alarms on the disk whose device may ask again, with the end of that time (monotonic ms). */
  readonly #stored = new Map<string, number>();
  onHeartbeat: (seen: DeviceSeen) => void = () => {};

  constructor(
    ports: RuntimePorts,
    parts: {
      readonly desk: AlarmDesk;
      readonly voice: AlarmVoiceDesk;
      readonly reply: DeviceReply;
      readonly profiles: ProfileBook;
    },
  ) {
    this.#ports = ports;
    this.#desk = parts.desk;
    this.#voice = parts.voice;
    this.#reply = parts.reply;
    this.#profiles = parts.profiles;
    this.#timers = new NamedTimers(ports.clock.monoMs());
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
    const line: Line = { call, sender, conversation: undefined, answered: false };
    this.#lines.set(call.id, line);
    call.answer();
    const turn = (work: () => void) => this.#desk.turn(work);
    return {
      answered: () => turn(() => this.#answered(line)),
      heard: () => undefined,
      joined: () => turn(() => line.conversation && this.#voice.joined(line.conversation)),
      left: (reason) => turn(() => line.conversation && this.#voice.left(line.conversation, reason)),
      ended: () => turn(() => this.#ended(line)),
    };
  }

  get nextDueMs(): number | undefined {
    return this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    for (const { owner, timer } of this.#timers.advance(nowMs)) {
      this.#desk.turn(() => (timer === 'message' ? this.#noMessage(owner) : this.#sendOrder(owner)));
    }
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
    if (input.type === 'stored') return;
    this.#alarms.delete(conversation);
    this.#orders.delete(conversation);
    this.#timers.stop(conversation, 'command');
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
        this.#reaction(sender, effect.atm);
        return;
      case 'event':
        if (came !== undefined) this.#event(sender, effect, came);
        return;
    }
  }

  #event(sender: string, effect: NowIpEffect & { readonly type: 'event' }, came: IncomingNowIp): void {
    const { message } = effect;
    const conversation = `nowip ${sender} ${message}`;
    this.#alarms.set(conversation, { sender, message, way: came.way, profile: came.profile });
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
    const { messageAfterInviteMs } = this.#profileOf(line.call.bridge);
    this.#timers.start(line.call.id, 'message', this.#now() + messageAfterInviteMs);
  }

  #profileOf({ protocol, protocolProfile }: DeviceCall['bridge']): NowIpProfile {
    return protocol === 'nowipcontroller'
      ? this.#profiles.nowIpController(protocolProfile)
      : this.#profiles.nowip(protocolProfile);
  }

  #attach(line: Line, conversation: string): void {
    line.conversation = conversation;
    this.#timers.stop(line.call.id, 'message');
    this.#voice.attach(conversation, line.call, this.#commander(conversation), true);
  }

  /** No MESSAGE came beside the call: the call itself is the event. */
  #noMessage(callId: string): void {
    const line = this.#lines.get(callId);
    if (line === undefined || line.conversation !== undefined) return;
    const { bridge, fromUser, calledParty, sourceIp, trace, id } = line.call;
    const conversation = `nowip ${line.sender} call ${id}`;
    const said = callEvent('voicecall', fromUser, '', ['noMessage'], true);
    const arrival: Arrival = { protocol: bridge.protocol, bridge, fromUser, calledParty, sourceIp, trace };
    this.#desk.event(this, { conversation, said, arrival });
    this.#attach(line, conversation);
  }

  #ended(line: Line): void {
    this.#lines.delete(line.call.id);
    this.#timers.stop(line.call.id, 'message');
    if (line.conversation !== undefined) this.#voice.ended(line.conversation);
    else this.#desk.turn(() => this.#noMessageBeforeEnd(line));
  }

  /** It hung up before its MESSAGE came: somebody wanted help all the same. */
  #noMessageBeforeEnd({ call, sender }: Line): void {
    const { bridge, fromUser, calledParty, sourceIp, trace, id } = call;
    const conversation = `nowip ${sender} call ${id}`;
    const said = callEvent('voicecall', fromUser, '', ['noMessage', 'hungUp'], false);
    const arrival: Arrival = { protocol: bridge.protocol, bridge, fromUser, calledParty, sourceIp, trace };
    this.#desk.event(this, { conversation, said, arrival });
  }

  // Commands

  #commander(conversation: string): Commander {
    return {
      command: (id: string | undefined, command: DeviceCommand) => {
        const found = commandFor(command);
        if (!found.ok) {
          const { reason } = found.error;
          this.#voice.outcome(id, { kind: 'failed', code: 'commandNotSupported', reason });
          return;
        }
        const waiting = this.#orders.get(conversation) ?? [];
        this.#orders.set(conversation, [...waiting, { id, command: found.value, tries: 0 }]);
        if (waiting.length === 0) this.#sendOrder(conversation);
      },
    };
  }

  /** The command in front, for the first time or again. */
  #sendOrder(conversation: string): void {
    const alarm = this.#alarms.get(conversation);
    const [order] = this.#orders.get(conversation) ?? [];
    if (alarm === undefined || order === undefined) return;
    if (order.tries >= MOST_TRIES) {
      this.#over(conversation, {
        kind: 'failed',
        code: 'deviceSilent',
        reason: `the device did not confirm the command in ${MOST_TRIES} tries`,
      });
      return;
    }
    order.tries++;
    const { type, data } = encodeCommand(order.command);
    const { profile } = alarm;
    const { version, mac, emptyText } = profile;
    const time = atmTime(this.#ports.clock.wallMs());
    this.#reply.say([alarm.way.id], encodeAtm({ version, type, data, time, mac }, emptyText), undefined);
    this.#timers.start(conversation, 'command', this.#now() + answerWaitMs(order.command, profile));
  }

  /** What a device says to a command of ours. */
  #reaction(sender: string, atm: Atm): void {
    const meaning = meaningOf(atm);
    const conversation = [...this.#orders].find(
      ([name, orders]) => orders.length > 0 && this.#alarms.get(name)?.sender === sender,
    )?.[0];
    if (!meaning.ok || conversation === undefined) return;
    const { kind } = meaning.value;
    if (kind === 'busy') this.#timers.start(conversation, 'command', this.#now() + BUSY_MS);
    else if (kind === 'rejected' || (kind === 'response' && meaning.value.digits === null))
      this.#over(conversation, {
        kind: 'failed',
        code: 'commandNotSupported',
        reason: 'the device rejected the command',
      });
    else if (kind === 'response' || kind === 'acknowledge') this.#over(conversation, { kind: 'done' });
  }

  #over(conversation: string, outcome: Parameters<AlarmVoiceDesk['outcome']>[1]): void {
    const [order, ...rest] = this.#orders.get(conversation) ?? [];
    this.#timers.stop(conversation, 'command');
    this.#orders.set(conversation, rest);
    this.#voice.outcome(order?.id, outcome);
    if (order?.command.kind === 'clearDown') this.#voice.callOf(conversation)?.hangUp('clear-down');
    else if (rest.length > 0) this.#sendOrder(conversation);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

const senderOf = (bridge: string, fromUser: string): string => `${bridge} ${fromUser}`;
