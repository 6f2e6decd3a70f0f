import type { TimerPorts } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import { CalledMessages } from '../called/called-messages.ts';
import {
  brokeOff,
  MOST_TRIES,
  REDIAL_MS,
  RING_MS,
  type SpeechRelaysDependencies,
  type Talk,
  type TalkUser,
  UNANSWERED_MS,
  unreached,
} from './speech-relay.ts';
import { CalledDevice, type CalledTimer } from './talk-device.ts';
import { providerUser } from './talk-relay.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts;

/** The devices of talks that we call ourselves, and what they say by message until their calls are over. */
export class TalkDevices {
  readonly #ports: Ports;
  readonly #dependencies: SpeechRelaysDependencies;
  readonly #user: TalkUser;
  /** By talk; until its call is over, also after the talk. */
  readonly #called = new Map<string, CalledDevice>();
  readonly #messages: CalledMessages;

  constructor(ports: Ports, dependencies: SpeechRelaysDependencies, user: TalkUser) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#user = user;
    this.#messages = new CalledMessages(ports, { ...dependencies.called, turn: dependencies.turn });
  }

  /**
   * Takes the answer of a device to a command by message.
   * @returns false when the message is no such answer
   */
  take(request: SipRequest, flow: Flow): boolean {
    return this.#messages.take(request, flow);
  }

  timer(id: string, timer: CalledTimer): void {
    this.#called.get(id)?.timer(timer);
  }

  /** Calls the device; of an alarm that names none, the receiver may clear the call. */
  call(talk: Talk): void {
    const { order, trace, id, target } = talk.plan;
    const { destination, fromUser } = order.voice;
    if (destination === undefined) {
      trace.add('note', { text: 'no person is to speak with the receiver: it may clear the call' });
      this.#user.start(id, 'nobody', target.protocol === 'voicecall' ? 0 : UNANSWERED_MS);
      return;
    }
    talk.deviceTries++;
    trace.add('voiceJoining', { destination, direction: 'duplex' });
    const dependencies = {
      ...this.#dependencies,
      profiles: this.#dependencies.called.profiles,
      messages: this.#messages,
      strings: this.#dependencies.called.strings,
      start: (timer: CalledTimer, ms: number) => this.#user.start(id, timer, ms),
      stop: (timer: CalledTimer) => this.#user.stop(id, timer),
    };
    const device = new CalledDevice(this.#ports, dependencies, {
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
        this.#dependencies.turn(() => {
          talk.deviceUp = true;
          if (talk.receiverUp) this.#user.both(talk);
        }),
      over: (reached, reason, wasCutOff) =>
        this.#dependencies.turn(() => {
          if (this.#called.get(id) === device) this.#called.delete(id);
          if (talk.device !== device) return;
          talk.device = undefined;
          if (!this.#user.isOn(talk)) return;
          if (wasCutOff) brokeOff(this.#dependencies.alarms, talk, destination);
          if (reached) this.#user.end(talk, 'the device has hung up', false);
          else this.#unreached(talk, destination, reason);
        }),
    });
  }

  #unreached(talk: Talk, destination: string, reason: string): void {
    if (talk.deviceTries < MOST_TRIES) {
      this.#user.start(talk.plan.id, 'device', REDIAL_MS);
      return;
    }
    unreached(this.#dependencies.alarms, talk, destination, talk.deviceTries, reason);
    this.#user.end(talk, 'the device does not answer', false);
  }
}
