import { isBs8521Group } from '#shared/alarm-event/index.ts';
import type { Result } from '#shared/result.ts';
import type { EndReason } from '../../../call/session/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { Media, MediaEvent } from '../../../media/control/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import type { Tone } from '../../protocol/tone/index.ts';
import { phrasesOf } from '../../voice/index.ts';
import type { ArcCall, ArcCallUser } from './arc-call.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import { notReached } from './over-reason.ts';
import {
  bs8521Machine,
  type SenderChange,
  type ToneCallKind,
  type ToneMachine,
  type ToneSendEffect,
  type ToneSendTimer,
  ttMachine,
} from './tone-machine.ts';

export interface CallAttemptPorts {
  readonly media: Pick<Media, 'play' | 'stop' | 'listen'>;
  readonly run: KernelPorts['run'];
  readonly turn: (work: () => void) => void;
  /** Places the call of this attempt. */
  readonly place: (plan: AttemptPlan, user: ArcCallUser) => ArcCall;
  readonly start: (timer: string, ms: number) => void;
  readonly stop: (timer: string) => void;
  readonly profiles: Pick<ProfileTables, 'bs8521' | 'tt92' | 'ttnew'>;
  readonly kind: ToneCallKind;
}

const TIMERS = [
  'enquiry',
  'answer',
  'interDigit',
  'loss',
  'identity',
  'announce',
  'placed',
  'sequence',
] as const;

/** A call to a receiver that gets an alarm in tones, and its continuation: commands, selected units, speech. */
export class ToneAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: CallAttemptPorts;
  readonly #machine: ToneMachine;
  #call: ArcCall | undefined;
  /** Whose speech runs now. */
  #speaking: string | undefined;
  #plays = 0;
  #playing: string | undefined;
  #hangUp: string | undefined;
  /** We hang up because the centre is heard no more. */
  #isLost = false;
  #over = false;
  #reached = false;
  /** The string was acknowledged: events that join from now on wait to be selected. */
  #open = false;

  constructor(plan: AttemptPlan, user: AttemptUser, ports: CallAttemptPorts) {
    this.plan = plan;
    this.#user = user;
    this.#ports = ports;
    this.#machine = machineFor(plan, ports.profiles, ports.kind);
  }

  get isReached(): boolean {
    return this.#reached;
  }

  begin(): void {
    const { plan } = this;
    plan.trace.add('alarmSending', {
      protocol: plan.target.protocol,
      destination: plan.address.destination,
    });
    const turn = this.#ports.turn;
    this.#call = this.#ports.place(plan, {
      answered: () => turn(() => this.#answered()),
      mediaEvent: (event) => turn(() => this.#onMediaEvent(event)),
      over: (reason, reached) => turn(() => this.#ended(reason, reached)),
    });
  }

  abandon(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimers();
    this.#call?.hangUp('the alarm is not sent any more');
    // Others of its scheme have lost their call: they go out in a new one.
    for (const effect of this.#machine.step({ type: 'hungUp' }))
      if (effect.type === 'failed' && effect.id !== this.plan.id) this.#user.failed(effect.id, effect);
    const speaking = this.#speaking;
    this.#speaking = undefined;
    if (speaking !== undefined && speaking !== this.plan.id)
      this.#user.lineOver(speaking, 'the call of its scheme was ended', false);
    this.#user.done();
  }

  add({ id, form, address, target, trace }: AttemptPlan): boolean {
    const sameCall =
      !this.#over &&
      this.#hangUp === undefined &&
      target.protocol === this.plan.target.protocol &&
      address.destination === this.plan.address.destination;
    const added = sameCall ? this.#machine.add(id, form) : undefined;
    if (added === undefined) return false;
    trace.add('note', { text: `joins the call ${this.#call?.id} of its scheme` });
    this.#perform(added.effects);
    // The centre learns of the unit when it asks for the next one, or when we report it.
    if (this.#open) this.#user.queued(id, added.alarmString, this.#dialogId);
    return true;
  }

  timer(timer: string): void {
    if (!this.#over) this.#perform(this.#machine.step({ type: 'timer', timer: timer as ToneSendTimer }));
  }

  #answered(): void {
    if (this.#over || this.#call === undefined) return;
    this.#reached = true;
    this.#user.signOfLife(true, '');
    const { stmf } = this.#machine;
    const listening = { profile: 'alarm', digits: true, tones: [], ...(stmf && { stmf }) } as const;
    this.#run(this.#ports.media.listen(this.#call.leg, listening));
    this.#perform(this.#machine.step({ type: 'start' }));
  }

  #onMediaEvent(event: MediaEvent): void {
    if (this.#over) return;
    if (event.kind === 'played' && event.play === this.#playing) {
      this.#playing = undefined;
      if (this.#hangUp !== undefined) this.#call?.hangUp(this.#hangUp);
      return;
    }
    if (event.kind !== 'digit' || event.edge !== 'end') return;
    const { digit, durationMs: ms = 0, stmf } = event;
    const sequential = stmf === undefined ? {} : { stmf };
    this.plan.trace.add('toneHeard', {
      digit,
      ms: Math.round(ms),
      source: event.source === 'inband' ? 'inaudio' : '2833',
      ...sequential,
    });
    this.#perform(this.#machine.step({ type: 'heard', tone: { digit, ms, ...sequential } }));
  }

  #ended(reason: EndReason, reached: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimers();
    if (!reached) {
      const failure = notReached(reason);
      this.#user.signOfLife(false, failure.reason);
      this.#user.failed(this.plan.id, failure);
      // An event that joined before the call was answered has lost its call, too.
      for (const effect of this.#machine.step({ type: 'hungUp' }))
        if (effect.type === 'failed' && effect.id !== this.plan.id) this.#user.failed(effect.id, failure);
      return;
    }
    this.#perform(this.#machine.step({ type: 'hungUp' }));
    this.#lineOver(reason.text);
  }

  #perform(effects: readonly ToneSendEffect[]): void {
    for (const effect of effects) this.#performOne(effect);
  }

  #performOne(effect: ToneSendEffect): void {
    switch (effect.type) {
      case 'play':
        if (this.#isPassing)
          this.plan.trace.add('note', { text: 'nothing is said: tones pass to the device' });
        else this.#play(effect.tones);
        return;
      case 'startTimer':
        this.#ports.start(effect.timer, effect.ms);
        return;
      case 'stopTimer':
        this.#ports.stop(effect.timer);
        return;
      case 'queued':
        this.#open = true;
        this.#user.queued(effect.id, effect.alarmString, this.#dialogId);
        return;
      case 'acknowledged':
        this.#open = true;
        this.#user.acknowledged(effect.id, effect.alarmString, this.#dialogId);
        return;
      case 'speech':
        this.#speech(effect.id);
        return;
      case 'command':
        if (this.#speaking !== undefined) this.#user.command(this.#speaking, effect.command);
        return;
      case 'hangUp':
        // The device hears the clear-down itself; only a centre that is heard no more is let go.
        if (this.#isPassing && effect.isLost !== true) return;
        this.#hangUp = effect.reason;
        this.#isLost = effect.isLost === true;
        // Tones that play are played to their end: the centre waits for them.
        if (this.#playing === undefined) this.#call?.hangUp(effect.reason);
        return;
      case 'failed':
        this.#user.failed(effect.id, effect);
        return;
      case 'trace':
        this.plan.trace.add('note', { text: effect.text });
        return;
    }
  }

  /** A controller of a scheme answers for its units, whatever passes to them. */
  get #isPassing(): boolean {
    const { form } = this.plan;
    const isScheme =
      (form.kind === 'tt' && form.form.unit !== undefined) ||
      (form.kind === 'bs8521' && isBs8521Group(form.fields));
    return !isScheme && this.#speaking !== undefined && this.#user.passes(this.#speaking);
  }

  /** One unit of a scheme speaks at a time: the unit before has finished. */
  #speech(id: string): void {
    if (this.#call === undefined || this.#speaking === id) return;
    if (this.#speaking !== undefined)
      this.#user.lineOver(this.#speaking, 'the centre has gone on to another unit', true);
    this.#speaking = id;
    this.#user.speech(id, { kind: 'line', call: this.#call });
  }

  #lineOver(reason: string): void {
    const id = this.#speaking;
    this.#speaking = undefined;
    if (id !== undefined) this.#user.lineOver(id, reason, !this.#isLost && this.#call?.hasHungUp === true);
    this.#user.done();
  }

  #play(tones: readonly Tone[]): void {
    const call = this.#call;
    if (call === undefined || call.isOver) return;
    const before = this.#playing;
    if (before !== undefined) this.#run(this.#ports.media.stop(call.leg, before));
    const play = `${call.id} ${++this.#plays}`;
    this.#playing = play;
    this.plan.trace.add('tonePlayed', { tones });
    const phrases = phrasesOf(tones, this.plan.order.voice.tones.towardsReceiver);
    this.#run(this.#ports.media.play(call.leg, play, { phrases, over: 'instead' }));
  }

  #stopTimers(): void {
    for (const timer of TIMERS) this.#ports.stop(timer);
  }

  #run(work: Promise<Result<undefined, { readonly code: string; readonly reason: string }>>): void {
    this.#ports.run(
      work.then((done) => {
        if (!done.ok && !this.#over) this.plan.trace.add('note', { text: `media: ${done.error.reason}` });
      }),
    );
  }

  get #dialogId(): string {
    return this.#call?.id ?? '';
  }
}

function machineFor(
  { id, form, order, target }: AttemptPlan,
  profiles: CallAttemptPorts['profiles'],
  kind: ToneCallKind,
): ToneMachine {
  const named = target.mapper?.protocolProfile;
  const { stringDelayMs, resendAlarmMs } = order;
  const change: SenderChange = {
    ...(stringDelayMs !== undefined && { delayMs: stringDelayMs }),
    ...(resendAlarmMs !== undefined && { resendMs: resendAlarmMs }),
  };
  if (form.kind === 'bs8521') return bs8521Machine(id, form.fields, profiles.bs8521(named), change, kind);
  if (form.kind === 'tt') return ttMachine(id, form.form, profiles[form.name](named), change, kind);
  throw new Error(`${form.kind} is not said in tones`);
}
