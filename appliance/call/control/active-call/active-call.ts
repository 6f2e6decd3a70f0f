import { namedDefect } from '../../../kernel/defect.ts';
import type { SessionTrace } from '../../../kernel/session-trace.ts';
import type { MediaEvent, MediaWindows } from '../../../media/control/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import { SDP } from '../../../sip/sdp/index.ts';
import {
  type CallEffect,
  type CallInput,
  type CallPhase,
  type CallProgress,
  type CallSession,
  type CallSetting,
  callSession,
  type EndReason,
  type Fields,
  initial,
  type LegName,
  passedFields,
  placing,
  withheldNames,
} from '../../session/index.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import { type CallOrigin, originAt } from '../target/call-origin.ts';
import { type DialPlan, ORDINARY_PLAN } from '../target/dial-plan.ts';
import type { CallTarget, TargetGroups } from '../target/target-resolver.ts';
import { PRESENCE } from './presence-request.ts';

/** The part of call control that a call needs. */
export interface ActiveCallDependencies {
  /** Opens a leg to a target and sends the INVITE. */
  readonly dial: (call: ActiveCall, name: LegName, target: CallTarget) => void;
  readonly newName: () => LegName;
  readonly connect: (call: ActiveCall, a: LegName, b: LegName) => void;
  readonly disconnect: (leg: LegName) => void;
  readonly sendDigit: (leg: SipLeg, digit: string, durationMs: number) => void;
  readonly referAnswered: (leg: LegName, status: number) => void;
  readonly referProgress: (leg: LegName, status: number) => void;
  readonly start: (timer: string, ms: number) => void;
  readonly stop: (timer: string) => void;
  readonly over: (call: ActiveCall) => void;
  /** Monotonic ms. */
  readonly nowMs: () => number;
  /** Its trace has something new, and it may be over. */
  readonly keep: (call: ActiveCall) => void;
}

const ANSWERED: ReadonlySet<CallPhase> = new Set(['Attended', 'Seeking', 'Talking']);

/** One call: its machine, its legs by name, and who was dialled. */
export class ActiveCall {
  readonly id: string;
  readonly trace: SessionTrace;
  readonly origin: CallOrigin;
  readonly #dependencies: ActiveCallDependencies;
  readonly #legs = new Map<LegName, SipLeg>();
  readonly #targets = new Map<LegName, CallTarget>();
  #session: CallSession;
  /** A call of our own: what it shows was said with it. */
  readonly #placed: boolean;
  /** How others are dialled for it. */
  plan: DialPlan = ORDINARY_PLAN;
  /** Finds the leg of another call that its own will be joined with. */
  findNear: () => LegName | undefined = () => undefined;
  /** Fields that an application has named and that a callee did not get. */
  readonly withheld = new Set<string>();
  /** Legs whose peers have sent audio. */
  readonly audibleLegs = new Set<LegName>();
  /** The far end of a call of our own, in this same host. */
  inside = false;
  /** Monotonic ms at which a peer was on the line for the first time. */
  answeredMs: number | undefined;
  /** Why it is over; undefined: it is not, or it continues in another call. */
  end: EndReason | undefined;
  /** Called by the call for a receiver or an application that watches it. */
  readonly onProgress: (progress: CallProgress) => void = () => {};
  readonly onMedia: (event: MediaEvent) => void = () => {};
  /** A request of a peer within its dialog, before it is acted upon. */
  readonly onRequest: (request: SipRequest) => void = () => {};
  /** Everything that happens to it, before the call takes notice. */
  readonly onInput: (input: CallInput) => void = () => {};

  constructor(
    id: string,
    /** undefined: a call of our own. */
    caller: SipLeg | undefined,
    origin: CallOrigin,
    trace: SessionTrace,
    setting: Partial<CallSetting>,
    dependencies: ActiveCallDependencies,
  ) {
    this.id = id;
    this.origin = origin;
    this.trace = trace;
    this.#dependencies = dependencies;
    this.#placed = caller === undefined;
    if (caller !== undefined) this.add(caller);
    this.#session = caller === undefined ? placing(setting) : initial(caller.name, setting);
  }

  get session(): CallSession {
    return this.#session;
  }

  leg(name: LegName): SipLeg | undefined {
    return this.#legs.get(name);
  }

  get legs(): Iterable<SipLeg> {
    return this.#legs.values();
  }

  target(name: LegName): CallTarget | undefined {
    return this.#targets.get(name);
  }

  /** A leg that was opened for a target, or came from another call, then with its target there. */
  add(leg: SipLeg, target?: CallTarget): void {
    this.#legs.set(leg.name, leg);
    if (target !== undefined) this.#targets.set(leg.name, target);
    // By a name and not outright: see `watchedBy`.
    const measured: Parameters<SipLeg['media']['measuredBy']>[0] = ({ received, sent, windows, ...more }) => {
      if (received.packets + sent.packets === 0) return;
      if (windows !== undefined) this.measured(leg.name, windows);
      this.trace.add('mediaEnded', { leg: leg.name, ...more, received, sent });
      this.#dependencies.keep(this);
    };
    leg.media.measuredBy(measured);
  }

  /**
   * Tells this one from now on. Chosen: a method, as V8 puts a function that is written where a property gets it
   * (`call.onProgress = (progress) => …`) among its old objects at once. All that it reaches, the whole call, then outlives every
   * short collection and waits for a long one.
   */
  watchedBy(watcher: Partial<Pick<ActiveCall, 'onProgress' | 'onMedia' | 'onRequest' | 'onInput'>>): void {
    Object.assign(this, watcher);
  }

  /** The audio of a leg in windows of 5 s. */
  measured(leg: LegName, windows: MediaWindows): void {
    this.trace.add('mediaMeasured', { leg, ...windows });
    this.#dependencies.keep(this);
  }

  remove(name: LegName): SipLeg | undefined {
    const leg = this.#legs.get(name);
    this.#legs.delete(name);
    return leg;
  }

  /** Names for targets, to be dialled. */
  named(groups: TargetGroups): readonly (readonly LegName[])[] {
    return groups.map((group) =>
      group.map((target) => {
        const name = this.#dependencies.newName();
        this.#targets.set(name, target);
        return name;
      }),
    );
  }

  /** The caller as the next callee sees it: the caller of the call, until it has given the call away; then the remaining party. */
  get shown(): CallOrigin {
    const { party, peer, transfer } = this.#session;
    const stays = this.#placed ? undefined : this.target((transfer?.by === party ? peer : party) ?? party);
    return stays === undefined ? this.origin : originAt(stays.to, this.origin);
  }

  /** Fields of the caller's INVITE that go to a target. */
  fieldsFor(target: CallTarget): Fields {
    const { fields, trusted, hidden, byApplication = false } = this.shown;
    const rule = { fromTrusted: trusted, toTrusted: target.trusted, hidden, byApplication };
    if (byApplication) this.#note(target, withheldNames(fields, rule));
    return passedFields(fields, rule);
  }

  #note({ uri }: CallTarget, names: readonly string[]): void {
    if (names.length === 0) return;
    for (const name of names) this.withheld.add(name);
    this.trace.add('note', { text: `${uri} does not get ${names.join(', ')}` });
  }

  #noteJoined(leg: LegName): void {
    const destination = this.target(leg)?.to;
    this.trace.add('voiceJoined', { leg, ...(destination !== undefined && { destination }) });
  }

  /** One input to completion, its effects included. */
  input(input: CallInput): void {
    try {
      this.#step(input);
    } catch (cause) {
      throw namedDefect(cause, this.trace);
    }
  }

  #step(input: CallInput): void {
    const before = this.#session.phase;
    this.onInput(input);
    const { state, effects } = callSession.step(this.#session, input);
    this.#session = state;
    if (ANSWERED.has(state.phase)) this.answeredMs ??= this.#dependencies.nowMs();
    for (const effect of effects) this.#perform(effect);
    if (state.phase === 'Ended' && before !== 'Ended') this.#dependencies.over(this);
  }

  #perform(effect: CallEffect): void {
    const { dial, connect, disconnect, sendDigit, referAnswered, referProgress, start, stop } =
      this.#dependencies;
    switch (effect.kind) {
      case 'dial': {
        const target = this.#targets.get(effect.leg);
        if (target !== undefined) dial(this, effect.leg, target);
        return;
      }
      case 'ring':
        this.trace.add('sipAnswered', { leg: effect.leg, status: effect.status, early: effect.early });
        this.#legs.get(effect.leg)?.ring(effect.status, effect.early);
        return;
      case 'accept':
        this.trace.add('sipAnswered', { leg: effect.leg, status: 200 });
        this.#legs.get(effect.leg)?.accept();
        return;
      case 'refuse':
        this.trace.add('sipAnswered', { leg: effect.leg, status: effect.status, reason: effect.text });
        this.#legs.get(effect.leg)?.refuse(effect.status, [], effect.text);
        return;
      case 'end':
        this.#targets.delete(effect.leg);
        this.#legs.get(effect.leg)?.end(effect.reason);
        return;
      case 'overdue':
        this.#targets.get(effect.leg)?.report({ kind: 'timeout' });
        this.#perform({ kind: 'end', leg: effect.leg });
        return;
      case 'connect':
        connect(this, effect.a, effect.b);
        return;
      case 'disconnect':
        disconnect(effect.leg);
        return;
      case 'direct':
        this.#legs.get(effect.leg)?.direct(effect.direction);
        return;
      case 'ask':
        this.#legs.get(effect.leg)?.send(PRESENCE, 'OPTIONS', [['Accept', SDP]]);
        return;
      case 'digit': {
        const leg = this.#legs.get(effect.leg);
        if (leg !== undefined) sendDigit(leg, effect.digit, effect.durationMs);
        return;
      }
      case 'referAnswered':
        referAnswered(effect.leg, effect.status);
        return;
      case 'referTold':
        referProgress(effect.leg, effect.status);
        return;
      case 'startTimer':
        start(effect.timer, effect.ms);
        return;
      case 'stopTimer':
        stop(effect.timer);
        return;
      case 'tell':
        if (effect.progress.kind === 'over') this.end = effect.progress.reason;
        if (effect.progress.kind === 'joined') this.#noteJoined(effect.progress.leg);
        this.trace.add('note', { text: wordsOf(effect.progress) });
        this.onProgress(effect.progress);
        return;
    }
  }
}

function wordsOf(progress: CallProgress): string {
  switch (progress.kind) {
    case 'ringing':
      return `${progress.leg} rings: ${progress.status}`;
    case 'attended':
      return 'the caller is on the line';
    case 'joined':
      return `${progress.leg} is on the line, both hear each other`;
    case 'left':
      return `the other party left: ${progress.reason.text}`;
    case 'over':
      return `the call is over: ${progress.reason.protocol} ${progress.reason.cause} ${progress.reason.text}`;
  }
}
