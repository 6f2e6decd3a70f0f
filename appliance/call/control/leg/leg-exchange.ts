import type { SessionEvent } from '../../../sip/dialog/index.ts';
import type { HeaderFields } from '../../../sip/message/index.ts';
import { warningOf } from '../../../sip/sdp/index.ts';
import type { HeldDirection } from '../../session/index.ts';
import type { LegMedia } from '../leg-media/leg-media.ts';
import { trickleFields } from '../leg-media/trickle.ts';
import type { Timeless } from '../signalling/signalling-port.ts';
import { REFUSALS } from './refusal.ts';
import type { LegState, SipLegDependencies } from './sip-leg-port.ts';

type Offered = Extract<SessionEvent, { readonly kind: 'offered' }>;
type Unfit = Extract<ReturnType<LegMedia['answerTo']>, { readonly ok: false }>['error'];

/** The leg whose descriptions these are. */
interface ExchangeUser {
  readonly state: () => LegState;
  readonly input: (tag: string, input: Timeless) => void;
  readonly held: (direction: HeldDirection, by: 'reInvite' | 'update') => void;
  readonly broken: (status: number, text: string) => void;
}

/** Offers and answers of one leg (RFC 3264), as they come with the news of its dialog and go to its media. */
export class LegExchange {
  readonly #media: LegMedia;
  readonly #parts: Pick<SipLegDependencies, 'agent' | 'run' | 'turn'>;
  readonly #user: ExchangeUser;
  /** Offer of the first INVITE; our answer to it, and what puts it into force. */
  #first: Uint8Array | undefined;
  #answer: { readonly sdp: Uint8Array; readonly commit: () => void } | undefined;
  #committed = false;

  constructor(
    media: LegMedia,
    parts: Pick<SipLegDependencies, 'agent' | 'run' | 'turn'>,
    user: ExchangeUser,
  ) {
    this.#media = media;
    this.#parts = parts;
    this.#user = user;
  }

  /** The offer in the INVITE of a caller. */
  get first(): Uint8Array | undefined {
    return this.#first;
  }

  get isCommitted(): boolean {
    return this.#committed;
  }

  /** Prepares the answer to that offer, now that there is a port. Undefined: it suits us, or there was none. */
  answerFirst(): Unfit | undefined {
    if (this.#first === undefined) return undefined;
    const answer = this.#media.answerTo(this.#first);
    if (!answer.ok) return answer.error;
    this.#answer = answer.value;
    return undefined;
  }

  /** That answer, in force from now on. */
  commit(): Uint8Array | undefined {
    if (this.#answer === undefined) return undefined;
    if (!this.#committed) this.#answer.commit();
    this.#committed = true;
    return this.#answer.sdp;
  }

  /** The leg is over: its descriptions go, and the datagrams they came in. */
  forget(): void {
    this.#first = undefined;
    this.#answer = undefined;
  }

  /** The peer offers; the offer of a call that came in waits until its media are open. */
  offered(tag: string, offer: Offered): void {
    if (this.#user.state() === 'waiting') {
      this.#first = offer.sdp;
      return;
    }
    const prepared = this.#media.prepare(offer.sdp);
    if (prepared === undefined) this.#answerTo(tag, offer);
    else this.#parts.run(prepared.then(() => this.#parts.turn(() => this.#answerTo(tag, offer))));
  }

  #answerTo(tag: string, { by, sdp }: Offered): void {
    if (this.#user.state() === 'over') {
      // Its BYE may still wait for an ACK; whoever offers meanwhile is not left without an answer.
      if (by !== 'INVITE' && REFUSALS[by] !== undefined)
        this.#user.input(tag, { kind: 'decline', status: 488 });
      return;
    }
    const answer = this.#media.answerTo(sdp);
    if (!answer.ok) {
      const { status } = answer.error;
      const headers: HeaderFields = [['Warning', warningOf(answer.error, this.#parts.agent)]];
      const kind = REFUSALS[by];
      if (kind === undefined) this.#user.broken(status, answer.error.reason);
      else this.#user.input(tag, { kind, status, headers });
      return;
    }
    const wanted = this.#media.wanted(sdp);
    answer.value.commit();
    const { sdp: ours } = answer.value;
    if (by === 'INVITE')
      this.#user.input(tag, { kind: 'accept', sdp: ours, headers: trickleFields(this.#media) });
    else this.#user.input(tag, { kind: 'answer', sdp: ours });
    if (wanted !== undefined && this.#user.state() === 'up')
      this.#user.held(wanted, by === 'UPDATE' ? 'update' : 'reInvite');
  }

  /** The peer has answered an offer of ours. */
  agreed(tag: string, sdp: Uint8Array): void {
    // In a reliable 1xx: this fork may still lose.
    const taken = this.#media.take(sdp, this.#user.state() === 'inviting' && tag !== '' ? tag : undefined);
    if (!taken.ok) this.#user.broken(taken.error.status, taken.error.reason);
  }

  /** An exchange came to nothing: what was agreed before holds. */
  unchanged(): void {
    this.#media.dropOffer();
    // The first exchange came to nothing: there is no audio at all.
    if (this.#user.state() === 'up' && this.#media.stream === undefined)
      this.#user.broken(488, 'the peer gave no description of its audio');
  }
}
