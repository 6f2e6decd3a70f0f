import type { MediaEvent } from '../../media/control/index.ts';
import type { ActiveCall, Oddity } from '../control/index.ts';
import type { LeaveCause, LeaveDetails, ParticipantId, SessionInput } from '../media-session/index.ts';
import {
  type CallInput,
  type CallProgress,
  type EndReason,
  isSilence,
  type LegName,
} from '../session/index.ts';

type WithoutTime<I> = I extends SessionInput ? Omit<I, 'atMs'> : never;
/** The events of the call of a participant. */
export type PartyInput = WithoutTime<
  Extract<
    SessionInput,
    { readonly kind: 'rang' | 'answered' | 'gone' | 'failed' | 'held' | 'digit' | 'silent' }
  >
>;

/**
 * The call of one participant, as its session sees it: a call of one leg. Events of the call become inputs of the
 * session; after the session has released the party, no event follows.
 */
export class PartyLeg {
  readonly participant: ParticipantId;
  readonly call: ActiveCall;
  /** User part of its address. */
  readonly user: string;
  /** Only an `httpcall` has it. */
  readonly rtp = undefined;
  readonly #tell: (input: PartyInput) => void;
  readonly #odd: (oddity: Oddity) => void;
  #answered: boolean;
  #early: LegName | undefined;
  #why: LeaveCause = 'hungUp';
  /** Why nothing can be agreed with the answer of a callee. */
  #unfit: string | undefined;
  #over = false;

  constructor(
    participant: ParticipantId,
    call: ActiveCall,
    user: string,
    answered: boolean,
    tell: (input: PartyInput) => void,
    odd: (oddity: Oddity) => void = () => undefined,
  ) {
    this.participant = participant;
    this.call = call;
    this.user = user;
    this.#answered = answered;
    this.#tell = tell;
    this.#odd = odd;
    call.watchedBy({
      onProgress: (progress) => this.onProgress(progress),
      onInput: (input) => this.#input(input),
      onMedia: (event) => this.#media(event),
    });
  }

  /** Its audio; undefined: no party has answered or sends early audio. */
  get leg(): LegName | undefined {
    const { party } = this.call.session;
    return this.#over ? undefined : party === '' ? this.#early : party;
  }

  get answered(): boolean {
    return this.#answered;
  }

  get sipCallId(): string | undefined {
    const [rings] = this.call.session.ringing;
    const leg = this.leg ?? rings;
    return leg === undefined ? undefined : this.call.leg(leg)?.signalling.callId;
  }

  /** Fields that the application has named and that its peer did not get. */
  get headersNotSent(): readonly string[] {
    return [...this.call.withheld];
  }

  /** Seconds after which its session ends unless it is refreshed. */
  get expiresS(): number | undefined {
    return this.leg === undefined ? undefined : this.call.leg(this.leg)?.expiresS;
  }

  ring(status: number, early: boolean): void {
    const { party } = this.call.session;
    this.call.trace.add('sipAnswered', { leg: party, status, early });
    this.call.leg(party)?.ring(status, early);
  }

  accept(): void {
    this.call.input({ kind: 'attend' });
  }

  /** Sends a refusal, a CANCEL or a BYE; no event follows. */
  drop(status: number | undefined, text?: string): void {
    this.#over = true;
    this.#watch();
    if (this.call.session.phase === 'Arrived')
      this.call.input({
        kind: 'refuse',
        status: Math.max(status ?? 480, 400),
        ...(text !== undefined && { text }),
      });
    else if (status === undefined) this.call.input({ kind: 'hangUp' });
    else
      this.call.input({
        kind: 'hangUp',
        reason: { protocol: 'SIP', cause: status, text: text ?? 'Dropped' },
      });
  }

  direct(direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'): void {
    this.#watch();
    if (this.leg !== undefined) this.call.leg(this.leg)?.direct(direction);
  }

  /** Breaches of the protocol by its peers are reported even after its end: most of them come then. */
  #watch(): void {
    for (const leg of this.call.legs) leg.oddBy(this.#odd);
  }

  onProgress(progress: CallProgress): void {
    if (this.#over) return;
    const { participant } = this;
    if (progress.kind === 'attended') {
      this.#answered = true;
      this.#tell({ kind: 'answered', participant });
    } else if (progress.kind === 'over') {
      this.#over = true;
      if (this.#answered || this.call.session.party !== '')
        this.#tell({
          kind: 'gone',
          participant,
          why: isSilence(progress.reason) ? 'rtpTimeout' : this.#why,
          ...saidBy(progress.reason),
        });
      else {
        const { cause, protocol, text: reason } = progress.reason;
        const status = protocol === 'SIP' ? cause : 480;
        const invalidSdp = this.#unfit === reason;
        this.#tell({ kind: 'failed', participant, status, reason, ...(invalidSdp && { invalidSdp }) });
      }
    }
  }

  #input(input: CallInput): void {
    if (this.#over) return;
    this.#watch();
    const { participant } = this;
    if (input.kind === 'progressed') {
      if (!this.call.session.ringing.includes(input.leg)) return;
      if (input.early) this.#early ??= input.leg;
      this.#tell({ kind: 'rang', participant, status: input.status, early: input.early });
    } else if (input.kind === 'held') {
      const { direction, by = 'reInvite' } = input;
      this.#tell({ kind: 'held', participant, direction, by });
    } else if (input.kind === 'digit') this.#tell({ kind: 'digit', participant, digit: input.digit });
    else if (input.kind === 'broken') this.#broken(input);
    else if (input.kind === 'ended' && input.cause === 'expired') this.#why = 'expired';
  }

  /** One of several callees may fail so, and another one answer. */
  #broken({ leg, status, text }: Extract<CallInput, { readonly kind: 'broken' }>): void {
    const isUnfit = UNFIT.has(status);
    if (leg === this.call.session.party) this.#why = isUnfit ? 'invalidSdp' : 'mediaLost';
    else if (isUnfit) this.#unfit = text;
  }

  #media(event: MediaEvent): void {
    if (!('leg' in event) || event.leg !== this.leg) return;
    const { participant } = this;
    if (event.kind === 'digit' && event.edge === 'begin')
      this.#tell({ kind: 'digit', participant, digit: event.digit });
    else if (event.kind === 'silence') this.#tell({ kind: 'silent', participant });
  }
}

/** Statuses of a description that cannot be read, is of another kind, or has nothing in common with ours. */
const UNFIT: ReadonlySet<number> = new Set([400, 415, 488]);

/** Normal call clearing (ITU-T Q.850 16) needs no words. */
function saidBy({ protocol, cause, text }: EndReason): { readonly said?: LeaveDetails } {
  if (protocol === 'Q.850') return cause === 16 ? {} : { said: { text: text || `Q.850 cause ${cause}` } };
  return { said: { status: cause, text: text || `SIP ${cause}` } };
}
