import type { Carrier } from './offer-carrier.ts';
import type { SipLeg } from './sip-leg.ts';
import type { DescriptionUser } from './sip-leg-port.ts';

/** A pending exchange: an offer of `from` that the other side is asked for, or is to answer. */
interface Open {
  readonly from: SipLeg;
  readonly by: Carrier | 'asked';
  readonly sdp: Uint8Array | undefined;
}

/*
 * Descriptions of two legs that pass through us with their addresses untouched, so that audio runs straight between
 * the peers (RFC 3725 flow IV, begun when both have answered). Only `o=` is ours on each side, as it must stay the same.
 *
 *   +--------+ a refuses b's offer, b refuses to offer: both stay with us
 *   | Asking | ─────────────────────────────────────────────────────────▶ given up
 *   +--------+
 *       | b offers (re-INVITE without offer), a answers it, b gets the answer
 *       V
 *   +--------+  an offer of either side is offered to the other, its answer is answered; refusals pass, too
 *   | Direct |
 *   +--------+ ── stop: each side that is still there gets an offer of ours again
 */
export class DirectPath {
  readonly #a: SipLeg;
  readonly #b: SipLeg;
  #direct = false;
  #over = false;
  #open: Open | undefined;
  /** Last description that holds for each side: a refresh repeats it. */
  readonly #said = new Map<SipLeg, Uint8Array>();
  /** Offers that a side has not answered; the other side may have withdrawn the exchange meanwhile, or have begun another one. */
  readonly #offers = new Map<SipLeg, { readonly of: Open | undefined; readonly sdp: Uint8Array }>();

  constructor(a: SipLeg, b: SipLeg) {
    this.#a = a;
    this.#b = b;
  }

  start(): void {
    this.#a.describedBy(this.#side(this.#a));
    this.#b.describedBy(this.#side(this.#b));
    this.#open = { from: this.#a, by: 'asked', sdp: undefined };
    this.#b.change(false);
  }

  /** Back to audio through us. */
  stop(): void {
    if (this.#over) return;
    this.#giveUp();
    if (!this.#direct) return;
    for (const leg of [this.#a, this.#b]) leg.change(true);
  }

  #giveUp(): void {
    this.#over = true;
    this.#open = undefined;
    this.#a.describedBy(undefined);
    this.#b.describedBy(undefined);
  }

  #other(leg: SipLeg): SipLeg {
    return leg === this.#a ? this.#b : this.#a;
  }

  #offerTo(leg: SipLeg, of: Open, sdp: Uint8Array): Uint8Array {
    const ours = leg.media.asOurs(sdp);
    this.#offers.set(leg, { of, sdp: ours });
    return ours;
  }

  #answerTo(leg: SipLeg, sdp: Uint8Array): Uint8Array {
    const ours = leg.media.asOurs(sdp);
    this.#said.set(leg, ours);
    return ours;
  }

  #side(leg: SipLeg): DescriptionUser {
    return {
      offered: (by, sdp) => this.#offered(leg, by, sdp),
      asked: () => this.#asked(leg),
      compose: () => this.#compose(leg),
      agreed: (sdp) => this.#agreed(leg, sdp),
      unchanged: (status) => this.#unchanged(leg, status),
    };
  }

  /** True: it is taken care of. */
  #offered(leg: SipLeg, by: Carrier, sdp: Uint8Array): boolean {
    const open = this.#open;
    const other = this.#other(leg);
    if (open?.by === 'asked' && open.from === other) {
      // This is the offer that was asked for. At the beginning it goes to the side that did not ask by itself.
      if (this.#direct) other.tell('INVITE', this.#offerTo(other, open, sdp));
      else {
        this.#open = { from: leg, by, sdp };
        other.change(true);
      }
      return true;
    }
    if (!this.#direct) return false;
    this.#open = { from: leg, by, sdp };
    other.change(true);
    return true;
  }

  #asked(leg: SipLeg): boolean {
    if (!this.#direct) return false;
    this.#open = { from: leg, by: 'asked', sdp: undefined };
    this.#other(leg).change(false);
    return true;
  }

  /** undefined: the leg makes an offer of its own. */
  #compose(leg: SipLeg): Uint8Array | undefined {
    const open = this.#open;
    if (open?.sdp !== undefined && open.from !== leg) return this.#offerTo(leg, open, open.sdp);
    const held = this.#direct ? this.#said.get(leg) : undefined;
    // A refresh belongs to no exchange: its answer is none to an offer that comes meanwhile.
    if (held !== undefined) this.#offers.set(leg, { of: undefined, sdp: held });
    return held;
  }

  #agreed(leg: SipLeg, sdp: Uint8Array): boolean {
    const open = this.#open;
    const other = this.#other(leg);
    const offer = this.#offers.get(leg);
    this.#offers.delete(leg);
    // It answers an offer that was withdrawn: the one that holds waits behind it.
    if (offer !== undefined && offer.of !== open) return true;
    if (offer !== undefined) this.#said.set(leg, offer.sdp);
    if (open?.by === 'asked' && open.from === leg && this.#direct) {
      // The answer to the offer it had asked for.
      this.#open = undefined;
      other.tell('2xx', this.#answerTo(other, sdp));
      return true;
    }
    // A side that was asked for an offer answers an earlier one of ours: it stays with its leg.
    if (open === undefined || open.from !== other || open.by === 'asked') return this.#direct;
    this.#open = undefined;
    if (!this.#direct) {
      this.#direct = true;
      leg.media.rest();
      other.media.rest();
    }
    other.tell(open.by, this.#answerTo(other, sdp));
    return true;
  }

  #unchanged(leg: SipLeg, status: number): boolean {
    const open = this.#open;
    const offer = this.#offers.get(leg);
    this.#offers.delete(leg);
    if (open === undefined) return this.#direct;
    const { from, by, sdp } = open;
    // It refuses an offer that was withdrawn, as above.
    if (offer !== undefined && offer.of !== open) return true;
    if (this.#direct) {
      this.#open = undefined;
      const other = this.#other(leg);
      // Withdrawn (CANCEL): the other side may take the offer still, so it is offered again what holds.
      if (from === leg && this.#offers.has(other)) other.change(true);
      // It asked for an offer and does not answer it (an ACK without a body): the other side, which made it, gets what holds.
      const held = this.#said.get(other);
      if (from === leg && by === 'asked' && offer !== undefined && held !== undefined)
        other.tell('2xx', held);
      if (from !== leg) from.decline(by === 'asked' ? 'INVITE' : by, status === 0 ? 488 : status);
      return true;
    }
    this.#giveUp();
    // The side that offered waits for an answer: it gets ours, and audio continues as before.
    if (from !== leg && sdp !== undefined && by !== 'asked') from.answerOffer(by, sdp);
    return from !== leg;
  }
}

/** The straight path of each call, one at a time. */
export class DirectPaths {
  readonly #paths = new Map<string, DirectPath>();

  /** The one of before is given up. */
  begin(call: string, a: SipLeg | undefined, b: SipLeg | undefined): void {
    if (a?.state !== 'up' || b?.state !== 'up' || a.media.isWebRtc || b.media.isWebRtc) return;
    const path = new DirectPath(a, b);
    this.#paths.set(call, path);
    path.start();
  }

  stop(call: string): void {
    this.#paths.get(call)?.stop();
    this.#paths.delete(call);
  }

  forget(call: string): void {
    this.#paths.delete(call);
  }
}
