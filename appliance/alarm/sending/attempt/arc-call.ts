import {
  type ActiveCall,
  ALARM_POLICY,
  type CallControl,
  type DialPlan,
} from '../../../call/control/index.ts';
import { type CallProgress, type EndReason, type Fields, isCutOff } from '../../../call/session/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { SessionTrace } from '../../../kernel/session-trace.ts';
import type { LegId, Media, MediaEvent } from '../../../media/control/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { SendAddress, SendTarget } from '../order/send-target.ts';

type Ports = KernelPorts & TenantPorts;

/** The events of a call of ours. */
export interface ArcCallUser {
  answered(): void;
  /** `byInfo`: a digit that was said in the signalling, and is not in the audio. */
  mediaEvent(event: MediaEvent, byInfo?: true): void;
  /** Comes last. `reached`: the receiver had answered. */
  over(reason: EndReason, reached: boolean): void;
}

export interface ArcCallRequest {
  readonly destination: string;
  readonly from: SendAddress['from'];
  readonly login?: SendAddress['login'];
  readonly headers?: Fields;
  readonly target: SendTarget;
  readonly ringMs: number;
  /** Whose audio it will be joined with. */
  readonly near?: LegId | undefined;
}

/** `Chosen:` how long a digit is that an INFO names without a length. */
const INFO_MS = 100;

/**
 * A call with one other party, who speaks with us: the receiver, or the device that it wants to speak with. Ours, or (`arrived`) that
 * of a receiver that calls back.
 */
export class ArcCall {
  readonly #calls: CallControl;
  readonly #call: ActiveCall;
  readonly #now: () => number;
  #user: ArcCallUser;
  #hearInfo: (digit: string, ms: number) => void = () => {};
  #reached = false;
  #over = false;
  #wasCutOff = false;

  constructor(
    ports: Ports,
    calls: CallControl,
    request: ArcCallRequest | { readonly arrived: ActiveCall },
    trace: SessionTrace,
    user: ArcCallUser,
  ) {
    this.#calls = calls;
    this.#now = ports.clock.monoMs;
    this.#user = user;
    this.#call = 'arrived' in request ? request.arrived : this.#placed(ports, request, trace);
    this.#call.watchedBy({
      onMedia: (event) => {
        if (!this.#over && 'leg' in event && event.leg === this.leg) this.#user.mediaEvent(event);
      },
      // Interop: some centres say their tones by INFO (protocols 4.3); in a call of ours the INFO can come from the centre only.
      onInput: (input) => {
        if (input.kind === 'digit' && input.leg === this.leg && !this.#over) this.#byInfo(input);
      },
    });
    if (!('arrived' in request)) return;
    this.#call.watchedBy({ onProgress: (progress) => this.#onProgress(progress) });
    calls.turn(() => this.#call.input({ kind: 'attend' }));
  }

  #placed(
    ports: Ports,
    { destination, from, login, headers = [], target, ringMs, near }: ArcCallRequest,
    trace: SessionTrace,
  ): ActiveCall {
    const { domain } = ports.tenant();
    return this.#calls.place({
      destination,
      origin: {
        display: '',
        user: target.voiceFrom(from.user),
        host: from.host === '' ? domain : from.host,
        hidden: false,
        trusted: false,
        fields: [],
        hopsLeft: 70,
      },
      plan: dialPlanOf(target),
      towards: { login, headers },
      near: () => near,
      trace,
      setting: {
        purpose: 'alarm',
        keepsCaller: true,
        endsSilent: false,
        ringMs,
        durationMs: target.deadlineMs,
      },
      onProgress: (progress) => this.#onProgress(progress),
    });
  }

  /** Name of the call, unique on this host. */
  get id(): string {
    return this.#call.id;
  }

  get leg(): LegId {
    return this.#call.session.party;
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** The call broke off: neither side has hung up. */
  get wasCutOff(): boolean {
    return this.#wasCutOff;
  }

  /** `Chosen:` a centre that answered and was heard has ended the call; a centre whose audio never came has not spoken. */
  get hasHungUp(): boolean {
    return this.#over && this.#reached && !this.#wasCutOff && this.#call.audibleLegs.has(this.leg);
  }

  /** From now on another user gets the events of the call. */
  handTo(user: ArcCallUser): void {
    this.#user = user;
  }

  /** Digits by INFO go there beside the user, from now on. */
  hearInfo(hear: (digit: string, ms: number) => void): void {
    this.#hearInfo = hear;
  }

  hangUp(text: string): void {
    if (this.#over) return;
    const reason = { protocol: 'SIP', cause: 200, text } as const;
    this.#calls.turn(() => this.#call.input({ kind: 'hangUp', reason }));
  }

  #byInfo({ digit, durationMs }: { readonly digit: string; readonly durationMs: number }): void {
    const ms = durationMs === 0 ? INFO_MS : durationMs;
    const atMs = this.#now() - ms;
    const digitEvent = { kind: 'digit', leg: this.leg, digit, source: 'rfc4733', atMs } as const;
    this.#user.mediaEvent({ ...digitEvent, edge: 'begin' }, true);
    this.#user.mediaEvent({ ...digitEvent, edge: 'end', durationMs: ms }, true);
    this.#hearInfo(digit, ms);
  }

  #onProgress(progress: CallProgress): void {
    if (this.#over) return;
    if (progress.kind === 'attended') {
      this.#reached = true;
      this.#user.answered();
    } else if (progress.kind === 'over') {
      this.#over = true;
      this.#wasCutOff = isCutOff(progress.reason);
      this.#user.over(progress.reason, this.#reached);
    }
  }
}

const dialPlanOf = ({ mapper, trunkGroupId }: SendTarget): DialPlan => ({
  policy: {
    ...ALARM_POLICY,
    ...(mapper?.preferredCodec !== undefined && { preferredCodec: mapper.preferredCodec }),
  },
  relay: {},
  straight: false,
  trunkGroupId,
  mayReachServices: mapper?.enforceIvrDestination ?? false,
});

/** Both hear each other; digits pass as the two sides want them. */
export type Connecting = Pick<Media, 'connect' | 'disconnect' | 'play' | 'stop' | 'listen'>;
