import { decodeBs8521, isBs8521Group, type WaitingCall } from '#shared/alarm-event/index.ts';
import type { MessageAttempt } from '../../../call/message/index.ts';
import type { EndReason } from '../../../call/session/index.ts';
import {
  type Atm,
  type NowIpForm,
  type NowIpProfile,
  type NowIpSendEffect,
  type NowIpSendInput,
  type NowIpSending,
  nowIpIdle,
  nowIpSending,
  stepNowIpSending,
} from '../../protocol/nowip/index.ts';
import type { ArcCall } from './arc-call.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import type { LineOutcome } from './message-line.ts';
import type { MessageAttemptPorts } from './scaip-attempt.ts';
import type { CallAttemptPorts } from './tone-attempt.ts';

export type NowIpAttemptPorts = MessageAttemptPorts &
  Pick<CallAttemptPorts, 'place'> & {
    /** As the event sender names its profile. */
    readonly profile: NowIpProfile;
    readonly wallMs: () => number;
    /** Where answers and commands of the centre come from. */
    readonly onFlow: (remoteAddress: string) => void;
    /** Nothing is sent: a centre calls or asks, and learns of these units. */
    readonly idle: readonly WaitingCall[] | undefined;
  };

type Timeless<T> = T extends unknown ? Omit<T, 'wallMs'> : never;

/**
 * One NOW-IP event: MESSAGE and, where speech follows, INVITE of the same identity (BS 8521-2). It also answers a
 * centre that calls, or asks without a call, while no event is under way.
 */
export class NowIpAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: NowIpAttemptPorts;
  readonly #form: NowIpForm;
  readonly #message: MessageAttempt;
  #state: NowIpSending;
  #tries = 0;
  #call: ArcCall | undefined;
  #callAnswered = false;
  /** Whose speech waits for the call, or runs. */
  #speaking: string | undefined;
  #over = false;
  #finished = false;

  constructor(plan: AttemptPlan, form: NowIpForm, user: AttemptUser, ports: NowIpAttemptPorts) {
    this.plan = plan;
    this.#user = user;
    this.#ports = ports;
    this.#form = form;
    this.#message = ports.line.newAttempt(plan.address);
    const setting = { profile: ports.profile };
    this.#state =
      ports.idle === undefined ? nowIpSending(plan.id, form, setting) : nowIpIdle(form, setting, ports.idle);
  }

  get isReached(): boolean {
    return this.#callAnswered;
  }

  begin(): void {
    const { plan } = this;
    if (this.#wantsCall()) {
      const { turn, place } = this.#ports;
      this.#call = place(plan, {
        answered: () => turn(() => this.#answered()),
        mediaEvent: () => undefined,
        over: (reason) => turn(() => this.#ended(reason)),
      });
    }
    this.#step({ type: 'start' });
  }

  abandon(): void {
    if (this.#over) return;
    this.#over = true;
    this.#call?.hangUp('the alarm is not sent any more');
    // Others of its scheme have lost their call: they go out in a new one.
    const { effects } = stepNowIpSending(this.#state, { type: 'hungUp' });
    for (const effect of effects)
      if (effect.type === 'failed' && effect.id !== this.plan.id) this.#user.failed(effect.id, effect);
    this.#finish();
  }

  timer(): void {
    this.#step({ type: 'timer' });
  }

  /** A message of the centre for this identity. */
  onMessage(atm: Atm): void {
    if (this.#over) return;
    this.#user.signOfLife(true, '');
    this.#step({ type: 'message', atm });
  }

  add({ id, form, address, target, trace }: AttemptPlan): boolean {
    const own = decodeBs8521(this.#form.data);
    const other = form.kind === 'nowip' ? decodeBs8521(form.form.data) : undefined;
    const fits =
      !this.#over &&
      this.#state.phase !== 'over' &&
      own.ok &&
      other?.ok === true &&
      isBs8521Group(own.value) &&
      isBs8521Group(other.value) &&
      own.value.controllerId === other.value.controllerId &&
      target.protocol === this.plan.target.protocol &&
      address.destination === this.plan.address.destination;
    if (!fits || other?.ok !== true || form.kind !== 'nowip') return false;
    trace.add('note', { text: `joins the call ${this.#call?.id} of its scheme` });
    this.#step({ type: 'add', id, fields: other.value });
    this.#user.queued(id, form.form.data, this.#dialogId);
    return true;
  }

  /** A heartbeat needs no call, and neither does an event without speech. */
  #wantsCall(): boolean {
    if (this.#form.type === '0') return false;
    const fields = decodeBs8521(this.#form.data);
    return this.plan.order.event.audio !== 'none' || (fields.ok && isBs8521Group(fields.value));
  }

  #step(input: Timeless<NowIpSendInput>): void {
    if (this.#over && input.type !== 'hungUp') return;
    const { state, effects } = stepNowIpSending(this.#state, {
      ...input,
      wallMs: this.#ports.wallMs(),
    } as NowIpSendInput);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: NowIpSendEffect): void {
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
        this.#user.acknowledged(effect.id, effect.alarmString, this.#dialogId);
        if (this.#call === undefined) {
          this.#user.speech(effect.id, { kind: 'none' });
          this.#finish();
        }
        return;
      case 'queued':
        this.#user.queued(effect.id, effect.alarmString, this.#dialogId);
        return;
      case 'speech':
        this.#speech(effect.id);
        return;
      case 'command':
        if (this.#speaking !== undefined) this.#user.command(this.#speaking, effect.command);
        return;
      case 'hangUp':
        if (this.#call === undefined) this.#finish();
        else this.#call.hangUp('the centre has closed');
        return;
      case 'failed':
        if (effect.warning === 'noAnswer' || effect.warning === 'noRoute')
          this.#user.signOfLife(false, effect.reason);
        this.#user.failed(effect.id, effect);
        return;
      case 'trace':
        this.plan.trace.add('note', { text: effect.text });
        return;
    }
  }

  #speech(id: string): void {
    if (this.#speaking === id || this.#call === undefined) return;
    if (this.#speaking !== undefined && this.#callAnswered)
      this.#user.lineOver(this.#speaking, 'the centre has gone on to another unit', true);
    this.#speaking = id;
    if (this.#callAnswered) this.#user.speech(id, { kind: 'line', call: this.#call });
  }

  #answered(): void {
    this.#callAnswered = true;
    if (this.#over || this.#call === undefined || this.#speaking === undefined) return;
    this.#user.speech(this.#speaking, { kind: 'line', call: this.#call });
  }

  #ended(reason: EndReason): void {
    if (this.#over) return;
    const id = this.#speaking;
    const answered = this.#callAnswered;
    const hasHungUp = this.#call?.hasHungUp === true;
    this.#call = undefined;
    // The message may still be taken, and asked for again, without speech. A queue without a call has no owner.
    if (this.#state.phase === 'open' || answered) {
      this.#over = true;
      this.#step({ type: 'hungUp' });
    } else
      this.plan.trace.add('note', {
        text: `the call beside the message failed: ${reason.cause} ${reason.text}`,
      });
    if (id !== undefined && answered) this.#user.lineOver(id, reason.text, hasHungUp);
    else if (id !== undefined) this.#user.speech(id, { kind: 'none' });
    if (this.#over) this.#finish();
  }

  /** Once, whoever ends it first: the end of a call may be the end of its message, too. */
  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#over = true;
    this.#ports.stop();
    this.#user.done();
  }

  #send(xml: string): void {
    const { target, address, trace } = this.plan;
    const attempt = ++this.#tries;
    if (this.#ports.idle === undefined) {
      const { destination } = address;
      trace.add('alarmSending', { protocol: 'nowip', destination, attempt, callId: this.#message.callId });
    }
    this.#ports.line.send(
      {
        target,
        address,
        method: 'MESSAGE',
        body: { type: this.#ports.profile.contentType, bytes: Buffer.from(xml) },
        attempt: this.#message,
        onFlow: ({ remoteAddress }) => this.#ports.onFlow(remoteAddress),
      },
      (outcome) => this.#ports.turn(() => this.#outcome(outcome)),
    );
  }

  #outcome(outcome: LineOutcome): void {
    if (outcome.kind === 'unreachable') {
      this.#step({ type: 'refused', warning: 'noRoute', reason: outcome.reason });
      return;
    }
    const { status, reason } = outcome.response;
    if (status < 300) return;
    const warning = status === 401 || status === 403 || status === 407 ? 'authFailed' : 'rejected';
    this.#step({
      type: 'refused',
      warning,
      reason: `the receiver refused the message: SIP ${status} ${reason}`,
    });
  }

  get #dialogId(): string {
    return this.#call?.id ?? this.#message.callId;
  }
}
