import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { ActiveCall } from '../../../call/control/index.ts';
import type { JournalPorts } from '../../../delivery/outbox/index.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { LegId } from '../../../media/control/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { CommandParameters } from '../../session/index.ts';
import type { CommandOutcome } from '../../voice/index.ts';
import type { AttemptPlan, ReceiverSpeech } from '../attempt/attempt.ts';
import { passInfo } from './info-digit-relay.ts';
import {
  brokeOff,
  type SpeechRelaysDependencies,
  type Talk,
  type TalkTimer,
  type TalkUser,
  talkOf,
  UNANSWERED_MS,
} from './speech-relay.ts';
import type { TalkDevice } from './talk-device.ts';
import { TalkDevices } from './talk-devices.ts';
import { TalkReceivers } from './talk-receivers.ts';
import { numbersOf, relayOf, speechAlarm } from './talk-relay.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts;

/**
 * Joins receivers with devices once an event was taken.
 *
 *   line: the receiver is there     -+-> the device is called ---answered---> joined --either leaves--> both calls end
 *   call: the receiver is called ----|   or is on the line (forwarded)
 *   await: the receiver calls -------'   not within its minutes: voiceCallMissing
 *
 * Tones of the receiver are commands of its protocol; they reach the device in its own, or as they are (`transparent`).
 */
export class SpeechRelays {
  readonly #ports: Ports;
  readonly #dependencies: SpeechRelaysDependencies;
  readonly #talks = new Map<string, Talk>();
  /** By session of the received alarm. */
  readonly #forwarded = new Map<string, Talk>();
  readonly #timers: TimerScope<TalkTimer>;
  readonly #receivers: TalkReceivers;
  readonly #callees: TalkDevices;

  constructor(ports: Ports, dependencies: SpeechRelaysDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((id, timer) => dependencies.turn(() => this.#due(id, timer)));
    const user: TalkUser = {
      isOn: (talk) => this.#talks.get(talk.plan.id) === talk,
      start: (id, timer, ms) => this.#timers.start(id, timer, this.#now() + ms),
      stop: (id, timer) => this.#timers.stop(id, timer),
      both: (talk) => this.#connect(talk),
      callDevice: (talk) => this.#callees.call(talk),
      command: (id, command) => this.command(id, command),
      receiverLost: (talk, reason, hasHungUp) => this.#receiverLost(talk, reason, hasHungUp),
      end: (talk, reason, clears) => this.#end(talk, reason, clears),
    };
    this.#receivers = new TalkReceivers(ports, dependencies, user);
    this.#callees = new TalkDevices(ports, dependencies, user);
  }

  get size(): number {
    return this.#talks.size;
  }

  has(id: string): boolean {
    return this.#talks.has(id);
  }

  /**
   * Takes the answer of a device to a command by message.
   * @returns false when the message is no such answer
   */
  take(request: SipRequest, flow: Flow): boolean {
    return this.#callees.take(request, flow);
  }

  /** The receiver has taken the event and says how it wants to be spoken with. */
  begin(plan: AttemptPlan, speech: ReceiverSpeech): void {
    const { order, id, trace } = plan;
    const forwarded = order.alarmSessionId !== undefined;
    if (speech.kind === 'none') return;
    if (speech.kind === 'await') {
      trace.add('note', { text: `the receiver calls the device within ${speech.minutes} min` });
      // The device of a forwarded alarm waits for that call itself.
      if (forwarded) return;
      this.#timers.start(id, 'await', this.#now() + speech.minutes * 60_000);
    }
    const talk = talkOf(plan, speech);
    this.#talks.set(id, talk);
    if (order.alarmSessionId !== undefined) {
      this.#forwarded.set(order.alarmSessionId, talk);
      // A receiver on the line is not left there alone; one that is to be called is called when the device is there.
      if (talk.receiverUp) this.#timers.start(id, 'nobody', this.#now() + UNANSWERED_MS);
      return;
    }
    if (speech.kind === 'call') this.#receivers.call(talk);
    else if (speech.kind === 'line') this.#callees.call(talk);
  }

  /** A receiver that wanted to call has called the number that its alarm came from. Undefined: none does. */
  awaited(called: string): string | undefined {
    const name = called.toLowerCase();
    for (const [id, { speech, receiver, plan }] of this.#talks) {
      if (speech.kind !== 'await' || receiver !== undefined) continue;
      if (numbersOf(plan).includes(name)) return id;
    }
    return undefined;
  }

  /** That call; it is answered, and joined with the device. */
  arrived(id: string, call: ActiveCall): void {
    const talk = this.#talks.get(id);
    if (talk === undefined || talk.receiver !== undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'nobody waits for this call any more' });
      return;
    }
    this.#timers.stop(id, 'await');
    this.#receivers.speakWith(talk, { arrived: call });
  }

  /**
   * The device of a forwarded alarm is on the line and wants to be joined.
   * @returns false when no talk runs for its receiver
   */
  join(alarmSessionId: string, device: TalkDevice): boolean {
    const talk = this.#forwarded.get(alarmSessionId);
    if (talk === undefined) return false;
    talk.device = device;
    talk.deviceUp = true;
    if (talk.receiverUp) this.#connect(talk);
    else this.#receivers.call(talk);
    return true;
  }

  /** Audio of the receiver that has taken a forwarded alarm, when it is on the line. */
  receiverLeg(alarmSessionId: string): LegId | undefined {
    const talk = this.#forwarded.get(alarmSessionId);
    return talk?.receiverUp === true ? talk.receiver?.leg : undefined;
  }

  /** The device of a forwarded alarm has left. */
  deviceLost(alarmSessionId: string): void {
    const talk = this.#forwarded.get(alarmSessionId);
    if (talk === undefined) return;
    talk.device = undefined;
    this.#end(talk, 'the device has hung up', false);
  }

  /** The receiver asks this of the device. */
  readonly command = (id: string, command: DeviceCommand): void => {
    const talk = this.#talks.get(id);
    if (talk === undefined) return;
    const { order, trace } = talk.plan;
    trace.add('deviceCommand', { command, by: 'receiver' });
    if (order.voice.transparent) return;
    if (order.alarmSessionId !== undefined)
      this.#dependencies.commandForwarded(order.alarmSessionId, command);
    else talk.device?.command(command, undefined, () => undefined);
  };

  /** Tones of the receiver reach the device, which answers them: we say nothing of our own. */
  readonly passes = (id: string): boolean => {
    const talk = this.#talks.get(id);
    return talk?.joined === true && talk.plan.order.voice.transparent;
  };

  /** The receiver has left, or goes on with another unit. */
  readonly lineOver = (id: string, reason: string, hasHungUp: boolean): void => {
    const talk = this.#talks.get(id);
    if (talk === undefined) return;
    const { call } = talk.speech.kind === 'line' ? talk.speech : { call: undefined };
    if (!hasHungUp) brokeOff(this.#dependencies.alarms, talk, talk.plan.address.destination);
    const spoke = talk.joined;
    // In a scheme the line goes on with another unit.
    if (call !== undefined && !call.isOver && talk.joined) this.#disconnect(talk);
    talk.receiver = undefined;
    this.#receiverLost(talk, reason, spoke && hasHungUp);
  };

  /** An application asks the device of a call for something. Undefined: no such session speaks here. */
  ask(
    id: string,
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    done: (outcome: CommandOutcome) => void,
  ): boolean {
    const talk = this.#talks.get(id);
    if (talk === undefined) return false;
    if (talk.device === undefined || !talk.deviceUp)
      done({ kind: 'failed', code: 'noVoiceCall', reason: 'the device is not on the line' });
    // As for an alarm that was received: a call ends with its clear-down.
    else if (command === 'clearDown' && !talk.forwarded)
      this.#end(talk, 'the application has cleared the device', true, done);
    else talk.device.command(command, parameters, done);
    return true;
  }

  /** An application ends the call: the device is cleared, then both calls end. */
  hangUp(id: string): boolean {
    const talk = this.#talks.get(id);
    if (talk === undefined) return false;
    this.#end(talk, 'the application has ended the call', true);
    return true;
  }

  #due(id: string, timer: TalkTimer): void {
    const talk = this.#talks.get(id);
    if (timer === 'echo' || timer === 'controller') this.#callees.timer(id, timer);
    else if (talk === undefined) return;
    else if (timer === 'receiver') this.#receivers.call(talk);
    else if (timer === 'device') this.#callees.call(talk);
    else if (timer === 'await') this.#notCalled(talk);
    else if (timer === 'limit')
      this.#end(talk, 'the longest session is over (maxSessionDuration)', talk.joined);
    else this.#end(talk, 'nobody speaks with the receiver', false);
  }

  #connect(talk: Talk): void {
    const { receiver, device } = talk;
    if (receiver === undefined || device === undefined || talk.joined) return;
    talk.joined = true;
    this.#timers.stop(talk.plan.id, 'nobody');
    this.#timers.start(talk.plan.id, 'limit', this.#now() + talk.plan.target.deadlineMs);
    const relay = relayOf(talk.plan, device.protocol);
    this.#ports.run(this.#dependencies.media.connect(device.leg, receiver.leg, relay));
    passInfo(this.#ports.run, this.#dependencies.media, talk);
    talk.plan.trace.add('voiceJoined', { leg: receiver.leg });
    talk.plan.trace.add('note', { text: 'receiver and device hear each other' });
    device.joined();
  }

  #disconnect(talk: Talk): void {
    talk.joined = false;
    if (talk.device !== undefined) this.#ports.run(this.#dependencies.media.disconnect(talk.device.leg));
  }

  #receiverLost(talk: Talk, reason: string, hasHungUp: boolean): void {
    const { forwarded, device } = talk;
    if (!forwarded || device === undefined) {
      this.#end(talk, reason, hasHungUp);
      return;
    }
    // Its own session decides whether the device is cleared, and calls again whoever was lost.
    device.left(reason, hasHungUp);
    if (hasHungUp || talk.speech.kind !== 'call') {
      this.#forget(talk);
      return;
    }
    if (talk.joined) this.#disconnect(talk);
    talk.receiverUp = false;
    this.#timers.stop(talk.plan.id, 'limit');
  }

  /**
   * Both calls end: the receiver's at once, a device's after its clear command. Chosen: unanswered is never cleared. A
   * device whose receiver did not hang up after speech is hung up without a clear-down, so that it dials on by itself.
   */
  #end(talk: Talk, reason: string, clears: boolean, done?: (outcome: CommandOutcome) => void): void {
    if (talk.clearing) return;
    talk.clearing = true;
    this.#forget(talk);
    const { receiver, device } = talk;
    talk.receiver = undefined;
    talk.device = undefined;
    receiver?.hangUp(reason);
    if (talk.forwarded || !clears) device?.left(reason, clears);
    else device?.clear(reason, done);
    talk.plan.trace.add('sessionEnded', { outcome: reason });
    this.#ports.run(this.#ports.journal.commit(talk.plan.trace.takePage()));
  }

  #forget({ plan }: Talk): void {
    this.#talks.delete(plan.id);
    if (plan.order.alarmSessionId !== undefined) this.#forwarded.delete(plan.order.alarmSessionId);
    for (const timer of ['receiver', 'device', 'nobody', 'limit', 'await'] as const)
      this.#timers.stop(plan.id, timer);
  }

  #notCalled(talk: Talk): void {
    const { plan } = talk;
    const text = `${plan.address.destination} has taken the alarm and wanted to call the device, but did not`;
    const alarm = speechAlarm(plan, 'voiceCallMissing', text, plan.address.destination);
    this.#dependencies.alarms.raise(alarm, plan.trace.traceId);
    this.#end(talk, text, false);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
