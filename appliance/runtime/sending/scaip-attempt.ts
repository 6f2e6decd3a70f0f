import {
  decodeResponse,
  type ScaipProfile,
  type ScaipRequestForm,
  type ScaipResponse,
  type ScaipSendEffect,
  type ScaipSendInput,
  type ScaipSending,
  scaipSending,
  stepScaipSending,
} from '../../alarm/protocol/scaip/index.ts';
import type { SipResponse } from '../../sip/message/index.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import type { MessageLine, MessageOutcome } from './message-line.ts';

export interface MessageAttemptPorts {
  readonly line: MessageLine;
  readonly now: () => number;
  readonly turn: (work: () => void) => void;
  readonly start: (ms: number) => void;
  readonly stop: () => void;
}

/** As the event sender names its profile. */
export interface ScaipAttemptPorts extends MessageAttemptPorts {
  readonly profile: ScaipProfile;
}

type Timeless<T> = T extends unknown ? Omit<T, 'at'> : never;

/** One SCAIP request on one way: the machine of the protocol, joined to SIP. */
export class ScaipAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: ScaipAttemptPorts;
  readonly #callId: string;
  #state: ScaipSending;
  #cseq = 0;
  #challenge: SipResponse | undefined;
  #abandoned = false;

  constructor(plan: AttemptPlan, form: ScaipRequestForm, user: AttemptUser, ports: ScaipAttemptPorts) {
    this.plan = plan;
    this.#user = user;
    this.#ports = ports;
    this.#callId = ports.line.newCallId();
    const { voiceDestination } = plan.address;
    this.#state = scaipSending(form, {
      sender: ports.profile.sender,
      ...(voiceDestination !== undefined && { defaultVoiceDestination: voiceDestination }),
    });
  }

  begin(): void {
    this.#step({ type: 'start' });
  }

  abandon(): void {
    this.#abandoned = true;
    this.#ports.stop();
  }

  timer(): void {
    this.#step({ type: 'timer' });
  }

  /** The receiver's answer, in a MESSAGE of its own or in its 200. */
  answered(response: ScaipResponse): void {
    this.#step({ type: 'answer', response });
  }

  #step(input: Timeless<ScaipSendInput>): void {
    if (this.#abandoned) return;
    const { state, effects } = stepScaipSending(this.#state, {
      ...input,
      at: this.#ports.now(),
    } as ScaipSendInput);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ScaipSendEffect): void {
    const { id, trace } = this.plan;
    switch (effect.type) {
      case 'send':
        this.#send(effect.xml, effect.authenticate);
        return;
      case 'startTimer':
        this.#ports.start(effect.ms);
        return;
      case 'stopTimer':
        this.#ports.stop();
        return;
      case 'acknowledged':
        this.#user.heard(true, '');
        this.#user.acknowledged(id, effect.alarmString, this.#callId);
        if (this.#state.phase !== 'calling') this.#user.speech(id, { kind: 'none' });
        return;
      case 'call':
        this.#user.speech(id, {
          kind: 'call',
          destination: effect.destination,
          direction: effect.direction,
        });
        return;
      case 'awaitCall':
        this.#user.speech(id, { kind: 'await', minutes: effect.minutes, direction: effect.direction });
        return;
      case 'failed':
        if (effect.warning === 'noAnswer' || effect.warning === 'noRoute')
          this.#user.heard(false, effect.reason);
        this.#user.failed(id, effect);
        return;
      case 'trace':
        trace.add('note', { text: effect.text });
        return;
      case 'done':
        return;
    }
  }

  #send(xml: string, authenticate: boolean): void {
    const { target, address, trace } = this.plan;
    const challenge = authenticate ? this.#challenge : undefined;
    if (authenticate && address.login === undefined) {
      // Nothing to prove who we are with: a second challenge would be the answer.
      this.#ports.turn(() => this.#step({ type: 'sipAnswer', status: 401, phrase: 'no password is set' }));
      return;
    }
    const cseq = ++this.#cseq;
    trace.add('alarmSending', { protocol: 'scaip', destination: address.destination, attempt: cseq });
    this.#ports.line.send(
      {
        target,
        address,
        method: 'MESSAGE',
        body: { type: this.#ports.profile.contentType, text: xml },
        callId: this.#callId,
        cseq,
        challenge,
      },
      (outcome) => this.#ports.turn(() => this.#outcome(cseq, outcome)),
    );
  }

  #outcome(cseq: number, outcome: MessageOutcome): void {
    if (cseq !== this.#cseq) return;
    if (outcome.kind === 'unreachable') {
      this.#step({ type: 'unreachable', reason: outcome.reason });
      return;
    }
    const { response } = outcome;
    this.#user.heard(true, '');
    if (response.status === 401 || response.status === 407) this.#challenge = response;
    this.#step({ type: 'sipAnswer', status: response.status, phrase: response.reason });
    // Interop: some receivers put their answer into the 200.
    const inside =
      response.status < 300 && response.body.length > 0 ? decodeResponse(response.body) : undefined;
    if (inside?.ok === true) this.answered(inside.value);
  }
}
