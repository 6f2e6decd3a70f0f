import type { MessageAttempt } from '../../../call/message/index.ts';
import type { BytePorts } from '../../../kernel/port.ts';
import {
  decodeResponse,
  type ScaipProfile,
  type ScaipRequestForm,
  type ScaipResponse,
  type ScaipSendEffect,
  type ScaipSendInput,
  type ScaipSending,
  SNU,
  scaipSending,
  stepScaipSending,
} from '../../protocol/scaip/index.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import type { LineOutcome, MessageLine, SentBody } from './message-line.ts';

export interface MessageAttemptPorts {
  readonly line: MessageLine;
  readonly now: () => number;
  readonly turn: (work: () => void) => void;
  readonly start: (ms: number) => void;
  readonly stop: () => void;
}

/** As the event sender names its profile. */
export interface ScaipAttemptPorts extends MessageAttemptPorts {
  readonly deflate: BytePorts['deflate'];
  readonly profile: ScaipProfile;
}

type Timeless<T> = T extends unknown ? Omit<T, 'at'> : never;

/** One SCAIP request on one way: the machine of the protocol, joined to SIP. */
export class ScaipAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: ScaipAttemptPorts;
  readonly #message: MessageAttempt;
  #state: ScaipSending;
  #tries = 0;
  #abandoned = false;
  /** The last try went out deflated. */
  #wasDeflated = false;
  #xml = '';
  /** Whether the receiver inflates; undefined: not known yet. */
  #inflates: boolean | undefined;

  constructor(plan: AttemptPlan, form: ScaipRequestForm, user: AttemptUser, ports: ScaipAttemptPorts) {
    this.plan = plan;
    this.#user = user;
    this.#ports = ports;
    this.#message = ports.line.newAttempt(plan.address);
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
    if (this.#abandoned) return;
    // It has read what it could not inflate, and found no XML.
    if (response.snu === SNU.invalidFormat && this.#saysPlain(`snu ${response.snu}`)) return;
    if (this.#wasDeflated) this.#inflates = true;
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
        this.#send(effect.xml);
        return;
      case 'startTimer':
        this.#ports.start(effect.ms);
        return;
      case 'stopTimer':
        this.#ports.stop();
        return;
      case 'acknowledged':
        this.#user.signOfLife(true, '');
        this.#user.acknowledged(id, effect.alarmString, this.#message.callId);
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
          this.#user.signOfLife(false, effect.reason);
        this.#user.failed(id, effect);
        return;
      case 'trace':
        trace.add('note', { text: effect.text });
        return;
      case 'done':
        return;
    }
  }

  #send(xml: string): void {
    const { target, address, trace } = this.plan;
    const attempt = ++this.#tries;
    const { destination } = address;
    trace.add('alarmSending', { protocol: 'scaip', destination, attempt, callId: this.#message.callId });
    const wasDeflated = this.#wasDeflated;
    const body = this.#bodyOf(xml);
    // Another form starts over on a way: the longer one prefers a connection.
    const isRepeat = attempt > 1 && wasDeflated === this.#wasDeflated;
    this.#xml = xml;
    const message = { target, address, method: 'MESSAGE', body, attempt: this.#message } as const;
    this.#ports.line.send({ ...message, isRepeat }, (outcome) =>
      this.#ports.turn(() => this.#outcome(attempt, outcome)),
    );
  }

  #outcome(attempt: number, outcome: LineOutcome): void {
    if (this.#abandoned || attempt !== this.#tries) return;
    if (outcome.kind === 'unreachable') {
      this.#step({ type: 'unreachable', reason: outcome.reason });
      return;
    }
    const { status, reason, body } = outcome.response;
    this.#user.signOfLife(true, '');
    if (status === UNSUPPORTED && this.#saysPlain(`SIP ${status}`)) return;
    const phrase =
      status === 401 && this.plan.address.login === undefined ? 'and no password is set' : reason;
    this.#step({ type: 'sipAnswer', status, phrase });
    // Interop: some receivers put their answer into the 200.
    const inside = status < 300 && body.length > 0 ? decodeResponse(body) : undefined;
    if (inside?.ok === true) this.answered(inside.value);
  }

  /** A long one is deflated where the profile says so, until the receiver shows that it does not inflate. */
  #bodyOf(xml: string): SentBody {
    const { contentType: type, sender } = this.#ports.profile;
    const bytes = Buffer.from(xml);
    const { deflateAboveBytes: above } = sender;
    // Said again without an answer: the plain form is understood by everybody.
    const mayDeflate = this.#inflates ?? this.#tries === 1;
    this.#wasDeflated = mayDeflate && above !== null && bytes.length > above;
    return this.#wasDeflated
      ? { type, bytes: this.#ports.deflate(bytes), isDeflated: true }
      : { type, bytes };
  }

  /** The receiver has not understood what went out deflated: the same at once as it is. False: that was not it. */
  #saysPlain(answer: string): boolean {
    if (!this.#wasDeflated || this.#inflates === true) return false;
    this.#inflates = false;
    this.plan.trace.add('note', { text: `the receiver does not inflate (${answer}): sent again as it is` });
    this.#send(this.#xml);
    return true;
  }
}

/** Unsupported media type, or its encoding (RFC 3261 21.4.13). */
const UNSUPPORTED = 415;
