import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { commandOfTone } from '../../alarm/protocol/scaip/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';
import type { LegId, Listening, Media, MediaEvent } from '../../media/control/index.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import type { CallCase, CallDesk } from '../call/index.ts';
import { earlier, NamedTimers } from '../named-timers.ts';
import type { PlatformAlarmDesk } from '../platform-alarm-desk.ts';
import type { RuntimePorts } from '../port.ts';
import type { ProfileBook } from '../profile/index.ts';
import type { CommandOutcome } from '../voice/index.ts';
import { ArcCall } from './arc-call.ts';
import type { AttemptPlan, ReceiverSpeech } from './attempt.ts';
import { arcFrom, arcHeaders } from './attempts.ts';
import { CalledMessages, type CalledMessagesParts } from './called-messages.ts';
import { type Talk, talkOf } from './talk-case.ts';
import { CalledDevice, type CalledTimer, type TalkDevice } from './talk-device.ts';
import { numbersOf, passInfo, providerUser, relayOf, speechAlarm } from './talk-relay.ts';

type TalkTimer = 'receiver' | 'device' | 'nobody' | 'limit' | 'await' | CalledTimer;

export interface TalkDeskParts {
  readonly called: CalledMessagesParts & { readonly profiles: ProfileBook };
  readonly calls: CallDesk;
  readonly media: Pick<Media, 'connect' | 'disconnect' | 'play' | 'listen' | 'sendDigits'>;
  readonly alarms: PlatformAlarmDesk;
  readonly turn: (work: () => void) => void;
  /** What the receiver asks of the device of a forwarded alarm. */
  readonly commandForwarded: (alarmSessionId: string, command: DeviceCommand) => void;
}

/** A receiver or a device that does not answer is called three times, five seconds apart. */
const MOST_TRIES = 3;
const REDIAL_MS = 5_000;
const RING_MS = 45_000;
/** `Chosen:` how long a receiver is left alone on the line when there is nobody to speak with. */
const NOBODY_MS = 60_000;

/**
 * Joins receivers with devices once an event was taken.
 *
 *   line: the receiver is there     -+-> the device is called ---answered---> joined --either leaves--> both are gone
 *   call: the receiver is called ----|   or is on the line (forwarded)
 *   await: the receiver calls -------'   not within its minutes: voiceCallMissing
 *
 * Tones of the receiver are commands of its protocol; they reach the device in its own, or as they are (`transparent`).
 */
export class TalkDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: TalkDeskParts;
  readonly #talks = new Map<string, Talk>();
  /** By session of the received alarm. */
  readonly #forwarded = new Map<string, Talk>();
  /** Devices that we have called, until their calls are over. */
  readonly #called = new Map<string, CalledDevice>();
  readonly #timers: NamedTimers<TalkTimer>;
  readonly #messages: CalledMessages;

  constructor(ports: RuntimePorts, parts: TalkDeskParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
    this.#messages = new CalledMessages(ports, parts.called);
  }

  get size(): number {
    return this.#talks.size;
  }

  has(id: string): boolean {
    return this.#talks.has(id);
  }

  get nextDueMs(): number | undefined {
    return earlier(this.#timers.nextDueMs, this.#messages.nextDueMs);
  }

  /** What a device answers to a command by message; false: it is for somebody else. */
  take(request: SipRequest, flow: Flow): boolean {
    return this.#messages.take(request, flow, this.#parts.turn);
  }

  advance(nowMs: number): void {
    this.#messages.advance(nowMs, this.#parts.turn);
    for (const { owner, timer } of this.#timers.advance(nowMs))
      this.#parts.turn(() => {
        const talk = this.#talks.get(owner);
        if (timer === 'echo' || timer === 'controller') this.#called.get(owner)?.timer(timer);
        else if (talk === undefined) return;
        else if (timer === 'receiver') this.#callReceiver(talk);
        else if (timer === 'device') this.#callDevice(talk);
        else if (timer === 'await') this.#notCalled(talk);
        else if (timer === 'limit') this.#end(talk, 'the longest session is over (maxSessionDuration)');
        else this.#end(talk, 'nobody speaks with the receiver');
      });
  }

  /** The receiver has taken the event and says how it wants to be spoken with. */
  begin(plan: AttemptPlan, speech: ReceiverSpeech): void {
    const { order, id, trace } = plan;
    const forwarded = order.alarmSessionId !== undefined;
    if (speech.kind === 'none') return;
    if (speech.kind === 'await') {
      trace.add('note', { text: `the receiver calls the device within ${speech.minutes} min` });
      // Of a forwarded alarm that is the device's own affair.
      if (forwarded) return;
      this.#timers.start(id, 'await', this.#now() + speech.minutes * 60_000);
    }
    const talk = talkOf(plan, speech);
    this.#talks.set(id, talk);
    if (order.alarmSessionId !== undefined) {
      this.#forwarded.set(order.alarmSessionId, talk);
      // Who is on the line is not left there alone; who is to be called is called when the device is there.
      if (talk.receiverUp) this.#timers.start(id, 'nobody', this.#now() + NOBODY_MS);
      return;
    }
    if (speech.kind === 'call') this.#callReceiver(talk);
    else if (speech.kind === 'line') this.#callDevice(talk);
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
  arrived(id: string, call: CallCase): void {
    const talk = this.#talks.get(id);
    if (talk === undefined || talk.receiver !== undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'nobody waits for this call any more' });
      return;
    }
    this.#timers.stop(id, 'await');
    this.#speakWith(talk, { arrived: call });
  }

  /** The device of a forwarded alarm is on the line and wants to be joined. False: nobody speaks for its receiver. */
  join(alarmSessionId: string, device: TalkDevice): boolean {
    const talk = this.#forwarded.get(alarmSessionId);
    if (talk === undefined) return false;
    talk.device = device;
    talk.deviceUp = true;
    if (talk.receiverUp) this.#connect(talk);
    else this.#callReceiver(talk);
    return true;
  }

  /** Audio of the receiver that has taken a forwarded alarm, when it is on the line. */
  receiverLeg(alarmSessionId: string): LegId | undefined {
    const talk = this.#forwarded.get(alarmSessionId);
    return talk?.receiverUp === true ? talk.receiver?.leg : undefined;
  }

  /** The device of a forwarded alarm has left. */
  deviceGone(alarmSessionId: string): void {
    const talk = this.#forwarded.get(alarmSessionId);
    if (talk === undefined) return;
    talk.device = undefined;
    this.#end(talk, 'the device has hung up');
  }

  /** The receiver asks this of the device. */
  readonly command = (id: string, command: DeviceCommand): void => {
    const talk = this.#talks.get(id);
    if (talk === undefined) return;
    const { order, trace } = talk.plan;
    trace.add('deviceCommand', { command, by: 'receiver' });
    if (order.voice.transparent) return;
    if (order.alarmSessionId !== undefined) this.#parts.commandForwarded(order.alarmSessionId, command);
    else talk.device?.command(command, undefined, () => undefined);
  };

  /** The receiver has left, or goes on with another unit. */
  readonly lineOver = (id: string, reason: string): void => {
    const talk = this.#talks.get(id);
    if (talk === undefined) return;
    const { call } = talk.speech.kind === 'line' ? talk.speech : { call: undefined };
    // Of a scheme the line goes on, with somebody else.
    if (call !== undefined && !call.isOver && talk.joined) this.#disconnect(talk);
    talk.receiver = undefined;
    this.#receiverGone(talk, reason);
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
    else talk.device.command(command, parameters, done);
    return true;
  }

  /** An application ends the call: the device is cleared, then both are gone. */
  hangUp(id: string): boolean {
    const talk = this.#talks.get(id);
    if (talk === undefined) return false;
    this.#end(talk, 'the application has ended the call');
    return true;
  }

  #callReceiver(talk: Talk): void {
    if (talk.speech.kind !== 'call' || talk.receiver !== undefined) return;
    talk.receiverTries++;
    const { plan, speech } = talk;
    const { target, address, trace } = plan;
    trace.add('voiceJoining', { destination: speech.destination, direction: speech.direction });
    this.#speakWith(talk, {
      destination: speech.destination,
      from: arcFrom(plan),
      login: address.login,
      headers: arcHeaders(plan, this.#ports.tenant().domain),
      target,
      ringMs: RING_MS,
      near: talk.device?.leg,
    });
  }

  #speakWith(talk: Talk, wish: ConstructorParameters<typeof ArcCall>[2]): void {
    const { trace, id } = talk.plan;
    talk.receiver = new ArcCall(this.#ports, this.#parts.calls, wish, trace, {
      answered: () => this.#parts.turn(() => this.#receiverAnswered(talk)),
      heard: (event, byInfo) => this.#parts.turn(() => this.#receiverSaid(talk, event, byInfo)),
      over: (reason, reached) =>
        this.#parts.turn(() => {
          if (this.#talks.get(id) !== talk) return;
          talk.receiver = undefined;
          if (reached) this.#receiverGone(talk, reason.text);
          else this.#receiverUnreached(talk, `${reason.cause} ${reason.text}`);
        }),
    });
  }

  #receiverAnswered(talk: Talk): void {
    if (talk.receiver === undefined) return;
    talk.receiverUp = true;
    const listening: Listening = { profile: 'alarm', digits: true, tones: [] };
    this.#ports.run(this.#parts.media.listen(talk.receiver.leg, listening));
    if (talk.deviceUp) this.#connect(talk);
    else if (!talk.forwarded) this.#callDevice(talk);
  }

  /** Control tones of SCAIP; tone protocols have machines of their own for what their centres say. */
  #receiverSaid(talk: Talk, event: MediaEvent, byInfo = false): void {
    if (event.kind !== 'digit' || event.edge !== 'end' || talk.plan.target.protocol !== 'scaip') return;
    // A device that speaks SCAIP hears them in the audio.
    if (talk.device?.protocol === 'scaip' && !byInfo) return;
    const command = commandOfTone(event.digit);
    if (command !== undefined) this.command(talk.plan.id, command);
  }

  #receiverUnreached(talk: Talk, reason: string): void {
    const { plan } = talk;
    if (talk.forwarded) {
      // Its session calls again, a few times, and tells a person when that was in vain.
      talk.device?.left(reason);
      return;
    }
    if (talk.receiverTries < MOST_TRIES) {
      this.#timers.start(plan.id, 'receiver', this.#now() + REDIAL_MS);
      return;
    }
    const called = talk.speech.kind === 'call' ? talk.speech.destination : '';
    this.#unreached(talk, called, talk.receiverTries, reason);
    this.#receiverGone(talk, reason);
  }

  #callDevice(talk: Talk): void {
    const { order, trace, id, target } = talk.plan;
    const { destination, fromUser } = order.voice;
    if (destination === undefined) {
      trace.add('note', { text: 'nobody is to speak with the receiver: it may clear the call' });
      this.#timers.start(id, 'nobody', this.#now() + (target.protocol === 'voicecall' ? 0 : NOBODY_MS));
      return;
    }
    talk.deviceTries++;
    trace.add('voiceJoining', { destination, direction: 'duplex' });
    const parts = {
      ...this.#parts,
      profiles: this.#parts.called.profiles,
      messages: this.#messages,
      start: (timer: CalledTimer, ms: number) => this.#timers.start(id, timer, this.#now() + ms),
      stop: (timer: CalledTimer) => this.#timers.stop(id, timer),
    };
    const device = new CalledDevice(this.#ports, parts, {
      destination,
      from: { user: fromUser ?? providerUser(talk.plan), host: this.#ports.tenant().domain },
      plan: talk.plan,
      ringMs: RING_MS,
      near: talk.receiver?.leg,
    });
    talk.device = device;
    this.#called.set(id, device);
    device.call({
      answered: () =>
        this.#parts.turn(() => {
          talk.deviceUp = true;
          if (talk.receiverUp) this.#connect(talk);
        }),
      over: (reached, reason) =>
        this.#parts.turn(() => {
          if (this.#called.get(id) === device) this.#called.delete(id);
          if (talk.device !== device) return;
          talk.device = undefined;
          if (this.#talks.get(id) !== talk) return;
          if (reached) this.#end(talk, 'the device has hung up');
          else this.#deviceUnreached(talk, destination, reason);
        }),
    });
  }

  #deviceUnreached(talk: Talk, destination: string, reason: string): void {
    if (talk.deviceTries < MOST_TRIES) {
      this.#timers.start(talk.plan.id, 'device', this.#now() + REDIAL_MS);
      return;
    }
    this.#unreached(talk, destination, talk.deviceTries, reason);
    this.#end(talk, 'the device does not answer');
  }

  #connect(talk: Talk): void {
    const { receiver, device } = talk;
    if (receiver === undefined || device === undefined || talk.joined) return;
    talk.joined = true;
    this.#timers.stop(talk.plan.id, 'nobody');
    this.#timers.start(talk.plan.id, 'limit', this.#now() + talk.plan.target.deadlineMs);
    const relay = relayOf(talk.plan, device.protocol);
    this.#ports.run(this.#parts.media.connect(device.leg, receiver.leg, relay));
    passInfo(this.#ports.run, this.#parts.media, talk);
    talk.plan.trace.add('note', { text: 'receiver and device hear each other' });
    device.joined();
  }

  #disconnect(talk: Talk): void {
    talk.joined = false;
    if (talk.device !== undefined) this.#ports.run(this.#parts.media.disconnect(talk.device.leg));
  }

  #receiverGone(talk: Talk, reason: string): void {
    if (talk.forwarded && talk.device !== undefined) {
      // Its own session decides whether the device is cleared.
      talk.device.left(reason);
      this.#forget(talk);
      return;
    }
    this.#end(talk, reason);
  }

  /** Both are gone: the receiver at once, a device after its clear command. */
  #end(talk: Talk, reason: string): void {
    if (talk.clearing) return;
    talk.clearing = true;
    this.#forget(talk);
    const { receiver, device } = talk;
    talk.receiver = undefined;
    talk.device = undefined;
    receiver?.hangUp(reason);
    if (talk.forwarded) device?.left(reason);
    else device?.clear(reason);
    talk.plan.trace.add('sessionEnded', { outcome: reason });
    this.#ports.run(this.#ports.journal.commit(talk.plan.trace.takePage()));
  }

  #forget({ plan }: Talk): void {
    this.#talks.delete(plan.id);
    if (plan.order.alarmSessionId !== undefined) this.#forwarded.delete(plan.order.alarmSessionId);
    for (const timer of ['receiver', 'device', 'nobody', 'limit', 'await'] as const)
      this.#timers.stop(plan.id, timer);
  }

  /** Somebody waits on the line and nobody answers: a person must know at once. */
  #unreached({ plan }: Talk, destination: string, tries: number, reason: string): void {
    const text = `${destination} was called ${tries} times after its alarm was sent, and did not answer (${reason})`;
    const alarm = speechAlarm(plan, 'destinationUnreached', text, destination);
    this.#parts.alarms.raise(alarm, plan.trace.traceId);
  }

  #notCalled(talk: Talk): void {
    const { plan } = talk;
    const text = `${plan.address.destination} has taken the alarm and wanted to call the device, but did not`;
    const alarm = speechAlarm(plan, 'voiceCallMissing', text, plan.address.destination);
    this.#parts.alarms.raise(alarm, plan.trace.traceId);
    this.#end(talk, text);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
