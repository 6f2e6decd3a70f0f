import type { KernelPorts } from '../../../kernel/port.ts';
import type { Listening, MediaEvent } from '../../../media/control/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import { commandOfTone } from '../../protocol/scaip/index.ts';
import { ArcCall } from '../attempt/arc-call.ts';
import { arcFrom, arcHeaders } from '../attempt/attempts.ts';
import {
  brokeOff,
  MOST_TRIES,
  REDIAL_MS,
  RING_MS,
  type SpeechRelaysDependencies,
  type Talk,
  type TalkUser,
  unreached,
} from './speech-relay.ts';

type Ports = KernelPorts & TenantPorts;

/** The receivers of talks: they are called or call, say commands in tones, and leave. */
export class TalkReceivers {
  readonly #ports: Ports;
  readonly #dependencies: SpeechRelaysDependencies;
  readonly #user: TalkUser;

  constructor(ports: Ports, dependencies: SpeechRelaysDependencies, user: TalkUser) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#user = user;
  }

  /** Calls the receiver that wants to be called; nothing while it is called already. */
  call(talk: Talk): void {
    if (talk.speech.kind !== 'call' || talk.receiver !== undefined) return;
    talk.receiverTries++;
    const { plan, speech } = talk;
    const { target, address, trace } = plan;
    trace.add('voiceJoining', { destination: speech.destination, direction: speech.direction });
    this.speakWith(talk, {
      destination: speech.destination,
      from: arcFrom(plan),
      login: address.login,
      headers: arcHeaders(plan, this.#ports.tenant().domain),
      target,
      ringMs: RING_MS,
      near: talk.device?.leg,
    });
  }

  /** A call to it, or one of it that came. */
  speakWith(talk: Talk, request: ConstructorParameters<typeof ArcCall>[2]): void {
    const { trace } = talk.plan;
    talk.receiver = new ArcCall(this.#ports, this.#dependencies.calls, request, trace, {
      answered: () => this.#dependencies.turn(() => this.#answered(talk)),
      mediaEvent: (event, byInfo) => this.#dependencies.turn(() => this.#said(talk, event, byInfo)),
      over: (reason, reached) =>
        this.#dependencies.turn(() => {
          if (!this.#user.isOn(talk)) return;
          const hasHungUp = talk.receiver?.hasHungUp === true;
          talk.receiver = undefined;
          // The session of a forwarded alarm calls it again, and tells a person when that was in vain.
          if (!hasHungUp && !talk.forwarded)
            brokeOff(this.#dependencies.alarms, talk, talk.plan.address.destination);
          if (reached) this.#user.receiverLost(talk, reason.text, hasHungUp);
          else this.#unreached(talk, `${reason.cause} ${reason.text}`);
        }),
    });
  }

  #answered(talk: Talk): void {
    if (talk.receiver === undefined) return;
    talk.receiverUp = true;
    const listening: Listening = { profile: 'alarm', digits: true, tones: [] };
    this.#ports.run(this.#dependencies.media.listen(talk.receiver.leg, listening));
    if (talk.deviceUp) this.#user.both(talk);
    else if (!talk.forwarded) this.#user.callDevice(talk);
  }

  /** Control tones of SCAIP; tone protocols have machines of their own for what their centres say. */
  #said(talk: Talk, event: MediaEvent, byInfo = false): void {
    if (event.kind !== 'digit' || event.edge !== 'end' || talk.plan.target.protocol !== 'scaip') return;
    // A device that speaks SCAIP hears them in the audio.
    if (talk.device?.protocol === 'scaip' && !byInfo) return;
    const command = commandOfTone(event.digit);
    if (command !== undefined) this.#user.command(talk.plan.id, command);
  }

  #unreached(talk: Talk, reason: string): void {
    const { plan } = talk;
    if (talk.forwarded) {
      // Its session calls again, a few times, and tells a person when that was in vain.
      talk.device?.left(reason, false);
      return;
    }
    if (talk.receiverTries < MOST_TRIES) {
      this.#user.start(plan.id, 'receiver', REDIAL_MS);
      return;
    }
    const called = talk.speech.kind === 'call' ? talk.speech.destination : '';
    unreached(this.#dependencies.alarms, talk, called, talk.receiverTries, reason);
    this.#user.receiverLost(talk, reason, false);
  }
}
