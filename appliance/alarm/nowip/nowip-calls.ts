import { type Bs8521Fields, isBs8521Group, isBs8521Withdrawal } from '#shared/alarm-event/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import { commandFor, type NowIpProfile } from '../protocol/nowip/index.ts';
import { MOST_UNSTORED, UNSTORED_MS } from '../protocol/tone/index.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { SessionState } from '../session/index.ts';
import { type Commander, callEvent, type DeviceCall, type DeviceCallUser } from '../voice/index.ts';
import {
  type Alarm,
  arrivalOf,
  type Line,
  lineOf,
  type NowIpAdapterDependencies,
  senderOf,
  type UntilCalled,
} from './nowip-line.ts';
import type { NowIpOrders } from './nowip-orders.ts';
import { NowIpScheme, unitEvent } from './nowip-scheme.ts';

type Ports = KernelPorts & TimerPorts & MediaPorts;

interface NowIpCallsParts extends Pick<NowIpAdapterDependencies, 'alarmSessions' | 'voice' | 'profiles'> {
  /** Alarms that are open, by conversation. */
  readonly alarms: Map<string, Alarm>;
  /** Those whose calls may still come. */
  readonly dropped: UntilCalled<Alarm>;
  /** This call is that alarm's. */
  readonly called: (alarm: Alarm, call: string) => void;
  /** An alarm that was said again just now is said in this call. */
  readonly sayAgain: (line: Line) => void;
  readonly orders: NowIpOrders;
  /** An alarm that no message has brought: the call itself, or another unit behind it. */
  readonly event: (event: Parameters<AlarmSessions['event']>[1]) => void;
}

/**
 * The calls of NOW-IP alarms: each finds its alarm by the sender, in either order, waits for it a while, and gets its
 * commands by message.
 */
export class NowIpCalls {
  readonly #ports: Ports;
  readonly #parts: NowIpCallsParts;
  readonly #lines = new Map<string, Line>();
  readonly #timers: TimerScope<'message'>;

  constructor(ports: Ports, parts: NowIpCallsParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = ports.timers.scope((callId) => parts.alarmSessions.turn(() => this.#noMessage(callId)));
  }

  /** A call of a controller: its alarm comes beside it, or came already. */
  incoming(call: DeviceCall): DeviceCallUser {
    const sender = senderOf(call.bridge.id, call.fromUser);
    const line = lineOf(call, sender, this.#ports, (id, outcome) => this.#parts.voice.outcome(id, outcome));
    this.#lines.set(call.id, line);
    call.answer();
    const turn = (work: () => void) => this.#parts.alarmSessions.turn(work);
    return {
      answered: () => turn(() => this.#answered(line)),
      mediaEvent: (event) => turn(() => line.tones.onMediaEvent(event)),
      joined: () => turn(() => line.conversation && this.#parts.voice.joined(line.conversation)),
      left: (reason, hasHungUp) =>
        turn(() => line.conversation && this.#parts.voice.left(line.conversation, reason, hasHungUp)),
      ended: (_, isCutOff) => turn(() => this.#ended(line, isCutOff)),
    };
  }

  /** The call that an alarm has. */
  of(conversation: string): Line | undefined {
    for (const line of this.#lines.values()) if (line.conversation === conversation) return line;
    return undefined;
  }

  /** A call of this sender that has no alarm yet, the latest one. */
  waiting(sender: string): Line | undefined {
    return this.#of(sender).findLast(isWaiting);
  }

  /** The call that a message of this sender belongs to. */
  open(sender: string): Line | undefined {
    return this.waiting(sender) ?? this.#of(sender).at(-1);
  }

  /** The latest call of this sender that is an event by itself, whatever that is: its MESSAGE has not come. A call that waits goes first. */
  unexplained(sender: string): Line | undefined {
    if (this.waiting(sender) !== undefined) return undefined;
    return this.#of(sender).findLast(
      ({ conversation, alarm }) =>
        conversation !== undefined && alarm === undefined && !this.#parts.alarms.has(conversation),
    );
  }

  /**
   * The MESSAGE of a call has come that was an event before: commands have a way now, and the unit of a scheme is
   * selected.
   */
  explained(conversation: string, alarm: Alarm): void {
    const line = this.of(conversation);
    if (line === undefined) return;
    line.scheme = this.#schemeOf(line, conversation, alarm);
    // A unit that stands alone leaves an older call as it is: the unit of that call is not known.
    if (line.scheme !== undefined) this.#isOf(line, alarm, conversation);
    line.scheme?.begin();
    if (line.unsaid !== undefined) this.#parts.orders.send(conversation, alarm, line.unsaid, () => undefined);
    line.unsaid = undefined;
  }

  /** `text` is said in this call; an alarm of another one that says the same and has not been spoken about yet goes on here. */
  goOn(line: Line, text: string): void {
    const { alarmSessions, alarms } = this.#parts;
    for (const { conversation = '' } of this.#others(line))
      if (
        isSaidAgain(alarms.get(conversation), text) &&
        isEarly(alarmSessions.caseOf(conversation)?.session.state)
      ) {
        this.attach(line, conversation);
        return;
      }
  }

  #of(sender: string): Line[] {
    return [...this.#lines.values()].filter((line) => line.sender === sender);
  }

  #others(line: Line): Line[] {
    return this.#of(line.sender).filter((other) => other !== line);
  }

  #answered(line: Line): void {
    line.answered = true;
    if (!isWaiting(line)) return;
    const uncalled = [...this.#parts.alarms].filter(
      ([conversation, { sender }]) =>
        sender === line.sender && this.#parts.voice.callOf(conversation) === undefined,
    );
    const { sourceIp } = line.call;
    // An alarm that came from two addresses has two sessions; the call belongs to the session of its own address.
    const its =
      uncalled.find(([, { replyPath }]) => replyPath.flow.remoteAddress === sourceIp) ?? uncalled[0];
    if (its !== undefined) {
      this.attach(line, its[0]);
      return;
    }
    const dropped = this.#parts.dropped.take(line.sender, this.#now());
    if (dropped !== undefined) {
      this.#clear(line, dropped);
      return;
    }
    this.#parts.sayAgain(line);
    if (!isWaiting(line)) return;
    const { messageAfterInviteMs } = this.#profileOf(line.call.bridge);
    this.#timers.start(line.call.id, 'message', this.#now() + messageAfterInviteMs);
  }

  /** No speech follows: the device is asked not to call again; in a scheme the other units are asked for. */
  #clear(line: Line, alarm: Alarm): void {
    line.isDropped = true;
    this.#isOf(line, alarm);
    line.scheme = this.#schemeOf(line, '', alarm);
    if (line.scheme !== undefined) line.scheme.begin();
    else
      this.#parts.orders.send(line.call.id, alarm, { kind: 'clearDown' }, () =>
        line.call.hangUp('clear-down'),
      );
  }

  #profileOf({ protocol, protocolProfile }: DeviceCall['bridge']): NowIpProfile {
    return protocol === 'nowipcontroller'
      ? this.#parts.profiles.nowIpController(protocolProfile)
      : this.#parts.profiles.nowip(protocolProfile);
  }

  /** This call is that alarm's from now on. */
  attach(line: Line, conversation: string): void {
    this.#timers.stop(line.call.id, 'message');
    const alarm = this.#parts.alarms.get(conversation);
    if (alarm !== undefined) {
      alarm.called = true;
      this.#isOf(line, alarm, conversation);
    }
    // Its event is over, and it is being cleared: it goes on with this one.
    if (line.conversation !== undefined) this.#parts.voice.release(line.conversation);
    line.conversation = conversation;
    line.further = 0;
    line.scheme = alarm && this.#schemeOf(line, conversation, alarm);
    this.#parts.voice.attach(
      conversation,
      line.call,
      this.#commander(conversation, line),
      line.scheme === undefined,
    );
    if (alarm?.taken === true) line.scheme?.begin();
  }

  /** Commands name no call: whatever was said in another call of this device would be heard in this one. */
  #isOf(line: Line, alarm: Alarm, conversation?: string): void {
    for (const other of this.#others(line))
      if (other.alarm !== undefined && isSameDevice(other.alarm, alarm)) this.#leave(other, conversation);
    line.alarm = alarm;
    this.#parts.called(alarm, line.call.id);
  }

  /** The device has called again: nothing is said in this call any more, and its alarm ends with it unless it goes on there. */
  #leave(line: Line, goesOn: string | undefined): void {
    const { call, conversation } = line;
    const { orders, voice } = this.#parts;
    line.conversation = undefined;
    line.isDropped = true;
    this.#lines.delete(call.id);
    orders.drop(call.id);
    if (conversation !== undefined && conversation !== goesOn) {
      orders.drop(conversation);
      voice.ended(conversation);
    }
    call.hangUp('the device has called again');
  }

  /** No MESSAGE came beside the call: the call itself is the event. */
  #noMessage(callId: string): void {
    const line = this.#lines.get(callId);
    if (line === undefined || !isWaiting(line)) return;
    this.attach(line, this.#callIsEvent(line, ['noMessage'], true));
  }

  /**
   * The event of the call is not on the disk: its MESSAGE comes again, as its device has no acknowledge, or the call is
   * the event.
   */
  notStored(conversation: string): void {
    const line = this.of(conversation);
    if (line === undefined) return;
    const wasSaid = line.alarm !== undefined;
    Object.assign(line, { conversation: undefined, alarm: undefined, scheme: undefined });
    if (!wasSaid && ++line.unstored >= MOST_UNSTORED) {
      line.call.hangUp('the alarm could not be stored');
      return;
    }
    const waitMs = wasSaid ? this.#profileOf(line.call.bridge).messageAfterInviteMs : UNSTORED_MS;
    this.#timers.start(line.call.id, 'message', this.#now() + waitMs);
  }

  #callIsEvent({ call, sender }: Line, warnings: readonly string[], onTheLine: boolean): string {
    const conversation = `nowip ${sender} call ${call.id}`;
    const said = callEvent('voicecall', call.fromUser, '', warnings, onTheLine);
    this.#parts.event({ conversation, said, arrival: arrivalOf(call) });
    return conversation;
  }

  #ended(line: Line, isCutOff: boolean): void {
    this.#lines.delete(line.call.id);
    this.#timers.stop(line.call.id, 'message');
    this.#parts.orders.drop(line.call.id);
    if (line.conversation !== undefined) this.#parts.voice.ended(line.conversation, isCutOff);
    // It hung up before its MESSAGE came: a person wanted help in spite of that.
    else if (!line.isDropped && !this.#hasMessage(line.sender))
      this.#parts.alarmSessions.turn(() => void this.#callIsEvent(line, ['noMessage', 'hungUp'], false));
  }

  /** Its MESSAGE is here; only the call was over before it was this alarm's. */
  #hasMessage(sender: string): boolean {
    return (
      this.#parts.dropped.has(sender, this.#now()) ||
      [...this.#parts.alarms].some(
        ([conversation, alarm]) =>
          alarm.sender === sender && this.#parts.voice.callOf(conversation) === undefined,
      )
    );
  }

  #commander(conversation: string, line: Line): Commander {
    const { call } = line;
    const { voice, orders, alarms } = this.#parts;
    return {
      get clearing() {
        return line.scheme?.clearing === true;
      },
      command: (id, command, parameters, ends) => {
        const { scheme } = line;
        if (command === 'sendTones') {
          line.tones.send(id, parameters);
          return;
        }
        // Units of a scheme are cleared one by one first.
        if (scheme !== undefined && ends) {
          scheme.finish((outcome) => voice.outcome(id, outcome));
          return;
        }
        const alarm = alarms.get(conversation);
        const found = commandFor(command, alarm?.profile);
        const fails = (reason: string) =>
          voice.outcome(id, { kind: 'failed', code: 'commandNotSupported', reason });
        if (!found.ok) fails(found.error.reason);
        else if (found.value === undefined) voice.outcome(id, { kind: 'done' });
        else if (alarm?.taken === true)
          orders.send(conversation, alarm, found.value, (outcome) => {
            voice.outcome(id, outcome);
            if (command === 'clearDown') call.hangUp('clear-down');
          });
        else if (command !== 'clearDown') {
          if (id === undefined && command !== 'keepAlive') line.unsaid = found.value;
          fails('its MESSAGE has not come: there is no way to the device but its call');
        } else if (id !== undefined) {
          // As in a protocol without a clear-down. While a clear-down of the session itself waits, the message may
          // still come.
          voice.outcome(id, { kind: 'done' });
          call.hangUp('clear-down');
        }
      },
    };
  }

  #schemeOf(line: Line, conversation: string, alarm: Alarm): NowIpScheme | undefined {
    const { fields } = alarm;
    if (fields === undefined || !isBs8521Group(fields)) return undefined;
    const { call } = line;
    return new NowIpScheme(fields, {
      order: (command, done) => this.#parts.orders.send(call.id, alarm, command, done),
      speech: () =>
        line.isDropped && line.conversation === undefined
          ? line.scheme?.finish()
          : this.#parts.voice.opened(line.conversation ?? conversation),
      nextUnit: (next) => this.#nextUnit(line, alarm, next),
      hangUp: () => call.hangUp('clear-down'),
    });
  }

  /** Another alarm of the scheme waited behind the one that is done: same call, a session of its own. */
  #nextUnit(line: Line, alarm: Alarm, fields: Bs8521Fields): void {
    const { call, sender } = line;
    if (line.conversation !== undefined) this.#parts.voice.release(line.conversation);
    const conversation = `nowip ${sender} unit ${++line.units} of ${call.id}`;
    line.alarm = {
      ...alarm,
      message: conversation,
      text: conversation,
      fields,
      ordinal: 0,
      taken: false,
      called: true,
    };
    this.#parts.alarms.set(conversation, line.alarm);
    line.conversation = conversation;
    this.#parts.event({ conversation, said: unitEvent(fields), arrival: arrivalOf(call) });
    this.#parts.voice.attach(conversation, call, this.#commander(conversation, line), false);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

/** One that was said late may be of another unit than its call: that one is left as it is. */
const isSaidAgain = (alarm: Alarm | undefined, text: string): boolean =>
  alarm?.text === text && alarm.ordinal === 0;

const isWaiting = ({ conversation, isDropped }: Line): boolean => conversation === undefined && !isDropped;

/** No person has spoken with the device yet: its session takes any call of it. */
const isEarly = (state: SessionState | undefined): boolean =>
  state === 'storing' || state === 'asking' || state === 'decided' || state === 'waitingCall';

/** The same unit, or the scheme that it stands behind, which has one call. */
function isSameDevice(one: Alarm, other: Alarm): boolean {
  const [its, others] = [one.fields, other.fields];
  if (one.text === other.text) return true;
  if (its === undefined || others === undefined || its.controllerId !== others.controllerId) return false;
  // A unit that takes its alarm back has one line: its older call is over.
  if (isBs8521Withdrawal(others) && its.unitId === others.unitId) return true;
  return isBs8521Group(its) && isBs8521Group(others);
}
