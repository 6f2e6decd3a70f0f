import { type Bs8521Fields, isBs8521Group } from '#shared/alarm-event/index.ts';
import { commandFor, type NowIpProfile } from '../alarm/protocol/nowip/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import { NamedTimers } from './named-timers.ts';
import {
  type Alarm,
  arrivalOf,
  type DroppedAlarms,
  type Line,
  lineOf,
  type NowIpDeskParts,
  senderOf,
} from './nowip-line.ts';
import type { NowIpOrders } from './nowip-orders.ts';
import { NowIpScheme, unitEvent } from './nowip-scheme.ts';
import type { RuntimePorts } from './port.ts';
import { type Commander, callEvent, type DeviceCall, type DeviceCallUser } from './voice/index.ts';

interface NowIpCallsParts extends Pick<NowIpDeskParts, 'desk' | 'voice' | 'profiles'> {
  /** Alarms that are open, by conversation. */
  readonly alarms: Map<string, Alarm>;
  /** Those whose calls may still come. */
  readonly dropped: DroppedAlarms;
  readonly orders: NowIpOrders;
  /** An alarm that no message has brought: the call itself, or another unit behind it. */
  readonly event: (event: Parameters<AlarmDesk['event']>[1]) => void;
}

/**
 * The calls beside NOW-IP alarms: each finds its alarm by the sender, in either order, waits for it a while, and is
 * told the commands by message.
 */
export class NowIpCalls {
  readonly #ports: RuntimePorts;
  readonly #parts: NowIpCallsParts;
  readonly #lines = new Map<string, Line>();
  readonly #timers: NamedTimers<'message'>;

  constructor(ports: RuntimePorts, parts: NowIpCallsParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
  }

  get nextDueMs(): number | undefined {
    return this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    for (const { owner } of this.#timers.advance(nowMs)) this.#parts.desk.turn(() => this.#noMessage(owner));
  }

  /** A call of a controller: its alarm comes beside it, or came already. */
  incoming(call: DeviceCall): DeviceCallUser {
    const sender = senderOf(call.bridge.id, call.fromUser);
    const line = lineOf(call, sender, this.#ports, (id, outcome) => this.#parts.voice.outcome(id, outcome));
    this.#lines.set(call.id, line);
    call.answer();
    const turn = (work: () => void) => this.#parts.desk.turn(work);
    return {
      answered: () => turn(() => this.#answered(line)),
      heard: (event) => turn(() => line.tones.heard(event)),
      joined: () => turn(() => line.conversation && this.#parts.voice.joined(line.conversation)),
      left: (reason) => turn(() => line.conversation && this.#parts.voice.left(line.conversation, reason)),
      ended: () => turn(() => this.#ended(line)),
    };
  }

  /** The call that an alarm has. */
  of(conversation: string): Line | undefined {
    for (const line of this.#lines.values()) if (line.conversation === conversation) return line;
    return undefined;
  }

  /** A call of this sender that has no alarm yet. */
  waiting(sender: string): Line | undefined {
    for (const line of this.#lines.values())
      if (line.sender === sender && line.conversation === undefined) return line;
    return undefined;
  }

  #answered(line: Line): void {
    line.answered = true;
    if (line.conversation !== undefined) return;
    for (const [conversation, { sender }] of this.#parts.alarms) {
      if (sender !== line.sender || this.#parts.voice.callOf(conversation) !== undefined) continue;
      this.attach(line, conversation);
      return;
    }
    const dropped = this.#parts.dropped.take(line.sender, this.#now());
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
    line.conversation = conversation;
    this.#timers.stop(line.call.id, 'message');
    const alarm = this.#parts.alarms.get(conversation);
    if (alarm !== undefined) alarm.called = true;
    line.scheme = alarm && this.#schemeOf(line, conversation, alarm);
    this.#parts.voice.attach(
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
    this.attach(line, this.#callIsEvent(line, ['noMessage'], true));
  }

  #callIsEvent({ call, sender }: Line, warnings: readonly string[], onTheLine: boolean): string {
    const conversation = `nowip ${sender} call ${call.id}`;
    const said = callEvent('voicecall', call.fromUser, '', warnings, onTheLine);
    this.#parts.event({ conversation, said, arrival: arrivalOf(call) });
    return conversation;
  }

  #ended(line: Line): void {
    this.#lines.delete(line.call.id);
    this.#timers.stop(line.call.id, 'message');
    this.#parts.orders.drop(line.call.id);
    if (line.conversation !== undefined) this.#parts.voice.ended(line.conversation);
    // It hung up before its MESSAGE came: somebody wanted help all the same.
    else if (!line.isDropped && !this.#hasMessage(line.sender))
      this.#parts.desk.turn(() => void this.#callIsEvent(line, ['noMessage', 'hungUp'], false));
  }

  /** Its MESSAGE is here; only the call was over before it was this alarm's. */
  #hasMessage(sender: string): boolean {
    return (
      this.#parts.dropped.has(sender, this.#now()) ||
      [...this.#parts.alarms.values()].some((alarm) => alarm.sender === sender)
    );
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
        const alarm = this.#parts.alarms.get(conversation);
        const found = commandFor(command);
        if (!found.ok) {
          const { reason } = found.error;
          this.#parts.voice.outcome(id, { kind: 'failed', code: 'commandNotSupported', reason });
        } else if (alarm !== undefined)
          this.#parts.orders.send(conversation, alarm, found.value, (outcome) => {
            this.#parts.voice.outcome(id, outcome);
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
    this.#parts.alarms.set(conversation, {
      ...alarm,
      message: conversation,
      fields,
      taken: false,
      called: true,
    });
    line.conversation = conversation;
    this.#parts.event({ conversation, said: unitEvent(fields), arrival: arrivalOf(call) });
    this.#parts.voice.attach(conversation, call, this.#commander(conversation, line), false);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
