import type { ActiveCall, CallControl, DialPlan, PlacedCall } from '../../call/control/index.ts';
import { type CallProgress, isCutOff } from '../../call/session/index.ts';
import type { Playback, PlayRequest, Sound } from '../../call/sound/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { LegId, MediaEvent, MediaPorts, PlayPlan } from '../../media/control/index.ts';
import { silence, tone } from '../../media/dtmf/index.ts';
import type { AnswerEvidence } from '../emergency-list/index.ts';
import { type AnswerWatch, CALLEE_LISTENING } from './line-evidence.ts';
import { type KeyMedium, TwofoldKeys } from './twofold-keys.ts';

type Ports = KernelPorts & MediaPorts;

/** Events of the call to one callee. */
export interface CalleeUser {
  answered(): void;
  key(key: string): void;
  evidence(evidence: AnswerEvidence): void;
  /** Comes last. `isLost`: it had answered, and the callee has not hung up. */
  over(reason: string, hadAnswered: boolean, isLost: boolean): void;
}

export interface CalleeDependencies {
  readonly calls: CallControl;
  /** Speaks sentences; absent, or without a voice for the language: two beeps stand for each. */
  readonly sound: Pick<Sound, 'play'> | undefined;
  readonly watch: () => AnswerWatch;
}

export interface CalleeRequest {
  readonly destination: string;
  readonly ringMs: number;
  readonly origin: PlacedCall['origin'];
  readonly plan: DialPlan;
  /** The leg that its own may be joined with; asked when it is dialled. */
  readonly near: (() => LegId | undefined) | undefined;
  /** Fields of its INVITE. */
  readonly towards?: PlacedCall['towards'];
  readonly trace: SessionTrace;
}

/** The list ends the ringing itself; the call does so after a defect of the list. */
const RING_SLACK_MS = 5_000;
/** `Chosen:` so long a person may speak with a device. */
const LONGEST_MS = 4 * 3_600_000;

/** Stands for a sentence that no voice can say: two short tones call for the key. */
const BEEPS: PlayPlan = {
  phrases: [
    { kind: 'tone', segments: [tone(880, 200, -12), silence(150), tone(880, 200, -12), silence(300)] },
  ],
  over: 'instead',
};

/** The call to one callee: it rings, says sentences, hears keys and evidence, and is joined by its leg. */
export class CalleeCall {
  readonly #ports: Ports;
  readonly #sound: CalleeDependencies['sound'];
  readonly #calls: CallControl;
  readonly #call: ActiveCall;
  readonly #user: CalleeUser;
  readonly #watch: AnswerWatch;
  readonly #keys = new TwofoldKeys();
  /** News that came before `begin`. */
  #early: CallProgress[] | undefined = [];
  #hasAnswered = false;
  #isOver = false;
  #plays = 0;
  #beeping: string | undefined;
  #playing: Playback | undefined;
  /** Follows the end of the sentence that is being said. */
  #then: (() => void) | undefined;

  constructor(ports: Ports, dependencies: CalleeDependencies, request: CalleeRequest, user: CalleeUser) {
    this.#ports = ports;
    this.#sound = dependencies.sound;
    this.#calls = dependencies.calls;
    this.#user = user;
    this.#watch = dependencies.watch();
    const { destination, ringMs, origin, plan, near, towards, trace } = request;
    this.#call = this.#calls.place({
      ...{ destination, origin, plan, trace },
      ...(near !== undefined && { near }),
      ...(towards !== undefined && { towards }),
      setting: {
        purpose: 'alarm',
        keepsCaller: true,
        endsSilent: false,
        ringMs: ringMs + RING_SLACK_MS,
        durationMs: LONGEST_MS,
      },
      onProgress: (progress) => {
        if (this.#early === undefined) this.#onProgress(progress);
        else this.#early.push(progress);
      },
    });
    this.#call.watchedBy({
      onMedia: (event) => this.#onMediaEvent(event),
      // Interop: some telephones say their keys by INFO.
      onInput: (input) => {
        if (input.kind === 'digit' && input.leg === this.leg) this.#key(input.digit, 'info');
      },
    });
  }

  /** Reports from now on. A call that leads nowhere is over while it is still being placed. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const progress of early) this.#onProgress(progress);
  }

  get leg(): LegId {
    return this.#call.session.party;
  }

  /** A leg whose audio is open, also while it rings. */
  get audio(): LegId | undefined {
    const { party, ringing } = this.#call.session;
    return party === '' ? ringing[0] : party;
  }

  /** Says a sentence instead of the one before; `then` follows its end, or the next key. */
  say(text: string, lang: string, then?: () => void): void {
    this.#quiet();
    this.#then = then;
    if (this.#sound === undefined) {
      this.#beep();
      return;
    }
    const request: PlayRequest = {
      phrases: [{ format: 'cloudtts', cloudTTSParameters: { Text: text } }],
      lang,
      onPlayed: ({ faults }) => {
        if (this.#playing !== playing) return;
        this.#playing = undefined;
        if (faults.length === 0) {
          this.#said();
          return;
        }
        this.#call.trace.add('note', { text: `a sentence was not said: ${faults[0]?.reason}` });
        this.#beep();
      },
    };
    const playing = this.#sound.play(this.leg, request);
    this.#playing = playing;
  }

  hangUp(text: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#then = undefined;
    const reason = { protocol: 'SIP', cause: 200, text } as const;
    this.#calls.turn(() => this.#call.input({ kind: 'hangUp', reason }));
  }

  #beep(): void {
    const play = `callee ${this.#call.id} ${++this.#plays}`;
    this.#beeping = play;
    this.#ports.run(
      this.#ports.media.play(this.leg, play, BEEPS).then((begun) => {
        if (!begun.ok) this.#calls.turn(() => this.#beeped(play));
      }),
    );
  }

  #beeped(play: string): void {
    if (play !== this.#beeping) return;
    this.#beeping = undefined;
    this.#said();
  }

  #said(): void {
    const then = this.#then;
    this.#then = undefined;
    if (!this.#isOver) then?.();
  }

  #quiet(): void {
    const playing = this.#playing;
    this.#playing = undefined;
    playing?.stop();
    const beeping = this.#beeping;
    this.#beeping = undefined;
    if (beeping !== undefined) this.#ports.run(this.#ports.media.stop(this.leg, beeping));
  }

  #onProgress(progress: CallProgress): void {
    if (this.#isOver) return;
    if (progress.kind === 'attended') {
      this.#hasAnswered = true;
      this.#ports.run(this.#ports.media.listen(this.leg, CALLEE_LISTENING));
      this.#user.answered();
    } else if (progress.kind === 'over') {
      this.#isOver = true;
      const { reason } = progress;
      // A person whose audio never came has not spoken, and has not hung up on anybody.
      const isLost = isCutOff(reason) || !this.#call.audibleLegs.has(this.leg);
      this.#user.over(`${reason.cause} ${reason.text}`, this.#hasAnswered, isLost);
    }
  }

  #onMediaEvent(event: MediaEvent): void {
    if (this.#isOver || !('leg' in event) || event.leg !== this.leg) return;
    if (event.kind === 'played') this.#beeped(event.play);
    else if (event.kind === 'digit' && event.edge === 'begin') this.#key(event.digit, 'audio');
    else {
      const evidence = this.#watch.evidenceOf(event);
      if (evidence !== undefined) this.#user.evidence(evidence);
    }
  }

  #key(key: string, medium: KeyMedium): void {
    if (this.#isOver || !this.#hasAnswered) return;
    if (!this.#keys.isNew(key, medium, this.#ports.clock.monoMs())) return;
    const then = this.#then;
    this.#then = undefined;
    // A person who presses a key has heard enough.
    if (then !== undefined) {
      this.#quiet();
      then();
    }
    if (!this.#isOver) this.#user.key(key);
  }
}
