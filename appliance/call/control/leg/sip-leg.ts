import type { Dialog, InvitePlan, SessionEvent } from '../../../sip/dialog/index.ts';
import type { Flow, ServerTransaction } from '../../../sip/endpoint/index.ts';
import type { HeaderFields, SipRequest, SipResponse } from '../../../sip/message/index.ts';
import { warningOf } from '../../../sip/sdp/index.ts';
import type { EndReason, HeldDirection, LegEndCause, LegName, Unreached } from '../../session/index.ts';
import { readReason, reasonField } from '../../session/index.ts';
import { LegMedia } from '../leg-media/leg-media.ts';
import { trickleFields } from '../leg-media/trickle.ts';
import { planAgain } from '../signalling/plan-again.ts';
import { Signalling } from '../signalling/signalling.ts';
import { isReported, type Oddity } from '../signalling/signalling-port.ts';
import { failureWords } from './failure-words.ts';
import { LegExchange } from './leg-exchange.ts';
import type { Carrier } from './offer-carrier.ts';
import { REFUSALS, retryAfterOf, withNote, withRetry } from './refusal.ts';
import {
  type CallPlan,
  type DescriptionUser,
  type LegState,
  mediaPlanOf,
  type SipLegDependencies,
  type SipLegPlan,
} from './sip-leg-port.ts';

/**
 * One peer of a call: its dialog, our side of its offers and answers, and its audio.
 *
 *   arrive ─▶ media ─┬─ no port: 503; offer unfit: 4xx       call ─▶ media ─┬─ no port: failed 503
 *                    └─▶ ready ─ ring, accept, refuse                       └─▶ INVITE ─ progressed, answered, failed
 *                                      └──────────▶ up ◀──────────────────────────────────────┘
 *                          re-INVITE, UPDATE: answered here, their change is reported (`held`); ended ─▶ over
 */
export class SipLeg {
  readonly name: LegName;
  readonly media: LegMedia;
  readonly flow: Flow;
  #odd: (oddity: Oddity) => void = () => {};
  readonly #dependencies: SipLegDependencies;
  readonly #answerChallenge: SipLegPlan['answerChallenge'];
  readonly #user: SipLegUser;
  readonly #t1Ms: number;
  readonly signalling: Signalling;
  readonly #exchange: LegExchange;
  #state: LegState = 'new';
  #isAcknowledged = false;
  /** The dialog in use: '' of a call that came in, else the tag that won. */
  #tag: string | undefined;
  #byeReason: EndReason | undefined;
  #plan: InvitePlan | undefined;
  #descriptions: DescriptionUser | undefined;

  constructor(plan: SipLegPlan, dependencies: SipLegDependencies, user: SipLegUser) {
    this.name = plan.name;
    this.flow = plan.flow;
    this.#dependencies = dependencies;
    this.#answerChallenge = plan.answerChallenge;
    this.#user = user;
    this.#t1Ms = plan.settings.t1Ms;
    this.signalling = new Signalling(plan, dependencies, {
      onEvent: (tag, event) => this.#onEvent(tag, event),
      rang: (status) => user.progressed(this, status, false),
      won: (tag) => {
        this.#tag = tag;
      },
      failed: (status) => this.#failed(status),
      odd: (oddity) => this.#odd(oddity),
      astray: (reason) => this.#broken(502, reason),
      stranded: (reason) => user.stranded(this, reason),
    });
    this.media = new LegMedia(mediaPlanOf(plan), dependencies, (reason) =>
      dependencies.turn(() => this.#broken(488, reason)),
    );
    this.#exchange = new LegExchange(this.media, dependencies, {
      state: () => this.#state,
      input: (tag, input) => this.signalling.input(tag, input),
      held: (direction, by) => user.held(this, direction, by),
      broken: (status, text) => this.#broken(status, text),
    });
  }

  /** Tells this one of the peer's breaches of the rules, and no other any more. */
  oddBy(odd: (oddity: Oddity) => void): void {
    this.#odd = odd;
  }

  get state(): LegState {
    return this.#state;
  }

  /** The dialog, once there is one. */
  get dialog(): Dialog | undefined {
    return this.#tag === undefined ? undefined : this.signalling.dialog(this.#tag);
  }

  /** Seconds after which its session ends unless it is refreshed. */
  get expiresS(): number | undefined {
    return this.#tag === undefined ? undefined : this.signalling.expiresS(this.#tag);
  }

  /** A call came in. False: it has its answer already. */
  arrive(request: SipRequest, server: ServerTransaction): boolean {
    this.#tag = '';
    this.#state = 'waiting';
    if (!this.signalling.begin(request, server)) {
      this.#over();
      return false;
    }
    this.#dependencies.run(this.#openForCaller());
    return true;
  }

  /** Sends the INVITE of an outgoing leg. */
  call(plan: CallPlan): void {
    this.#state = 'waiting';
    this.#dependencies.run(this.#openForCallee(plan));
  }

  async #openForCaller(): Promise<void> {
    const opened = await this.media.open(this.#exchange.first);
    this.#dependencies.turn(() => {
      if (this.#state !== 'waiting') return;
      if (!opened.ok) {
        this.#refuse(503, [['Retry-After', retryAfterOf(opened.error)]], opened.error.reason);
        return;
      }
      const unfit = this.#exchange.answerFirst();
      if (unfit !== undefined) {
        const { status, reason } = unfit;
        this.#refuse(status, [['Warning', warningOf(unfit, this.#dependencies.agent)]], reason);
        return;
      }
      this.#state = 'inviting';
      this.#user.ready(this);
    });
  }

  async #openForCallee(plan: CallPlan): Promise<void> {
    const opened = await this.media.open();
    this.#dependencies.turn(() => {
      if (this.#state !== 'waiting') return;
      if (!opened.ok) {
        this.#failed(503, opened.error.reason);
        return;
      }
      this.#state = 'inviting';
      this.#invite({ ...plan, sdp: this.media.offer() });
    });
  }

  #invite(plan: InvitePlan): void {
    this.#plan = plan;
    this.signalling.invite({ ...plan, headers: this.#withTrickle(plan.headers) });
  }

  #withTrickle(headers: HeaderFields = []): HeaderFields {
    return [...headers, ...trickleFields(this.media)];
  }

  /** 1xx to the caller; `early`: with our answer, so that it hears what is connected to it. */
  ring(status: number, early: boolean, headers: HeaderFields = []): void {
    if (this.#state !== 'inviting') return;
    const sdp = early || this.#exchange.isCommitted ? this.#exchange.commit() : undefined;
    const said = this.#withTrickle(headers);
    this.#input({ kind: 'progress', status, headers: said, ...(sdp !== undefined && { sdp }) });
  }

  /** 2xx to the caller: our answer, or our offer when it made none. */
  accept(headers: HeaderFields = []): void {
    if (this.#state !== 'inviting') return;
    this.#state = 'up';
    const sdp = this.#exchange.commit() ?? this.media.offer();
    this.#input({ kind: 'accept', sdp, headers: this.#withTrickle(headers) });
  }

  refuse(status: number, headers: HeaderFields = [], text?: string): void {
    if (this.#state === 'waiting' || this.#state === 'inviting') this.#refuse(status, headers, text);
  }

  /** Ends it in whatever state it is: CANCEL, BYE, or a refusal. */
  end(reason?: EndReason): void {
    const headers: HeaderFields = reason === undefined ? [] : [['Reason', reasonField(reason)]];
    if (this.#state === 'over') return;
    if (this.#tag === '' && this.#state !== 'up') {
      this.refuse(480, headers, reason?.text);
      return;
    }
    const before = this.#state;
    this.#over();
    if (before === 'inviting') this.signalling.cancel();
    else if (before === 'up') this.#input({ kind: 'end', headers });
  }

  /** Offers the peer this direction, when it is another one than before. */
  direct(direction: HeldDirection): void {
    if (!this.media.want(direction) || this.#state !== 'up') return;
    this.#input({ kind: 'change', change: { by: 'INVITE', offer: true } });
  }

  /** From now on `user` describes the audio of this leg; undefined: the leg itself again. */
  describedBy(user: DescriptionUser | undefined): void {
    this.#descriptions = user;
  }

  /** Re-INVITE, with an offer or to be given one. */
  change(offer: boolean): void {
    if (this.#state === 'up') this.#input({ kind: 'change', change: { by: 'INVITE', offer } });
  }

  /** The answer to an offer that came by `by`, or the offer an INVITE asked for. */
  tell(by: Carrier, sdp: Uint8Array): void {
    this.#input({ kind: by === 'INVITE' ? 'accept' : 'answer', sdp });
  }

  /** An offer that came by `by` is not taken. */
  decline(by: Carrier, status: number): void {
    const kind = REFUSALS[by];
    if (kind !== undefined) this.#input({ kind, status });
  }

  /** Answers an offer by ourselves. */
  answerOffer(by: Carrier, sdp: Uint8Array): void {
    if (this.#tag !== undefined) this.#exchange.offered(this.#tag, { kind: 'offered', by, sdp });
  }

  /** A request of ours in the dialog; `replied` follows. */
  send(id: string, method: string, headers: HeaderFields, body?: Uint8Array): void {
    const content = { headers, ...(body !== undefined && { body }) };
    if (this.#state === 'up') this.#input({ kind: 'send', id, method, content });
  }

  respond(server: number, status: number, headers: HeaderFields = []): void {
    this.signalling.respond(server, { status, headers });
  }

  /** Methods the peer said it takes. */
  get allows(): readonly string[] {
    return this.#tag === undefined ? [] : this.signalling.allows(this.#tag);
  }

  requested(tag: string, request: SipRequest, server: ServerTransaction): void {
    // Read before it is answered: afterwards only the answer is kept.
    if (request.method === 'BYE') this.#byeReason = readReason(request.header('Reason'));
    this.signalling.requested(tag, request, server);
  }

  acknowledged(tag: string, ack: SipRequest): void {
    this.signalling.acknowledged(tag, ack);
  }

  cancelled(server: ServerTransaction): void {
    this.signalling.cancelled(server);
  }

  timer(name: string): void {
    this.signalling.timer(name);
  }

  #input(input: Parameters<Signalling['input']>[1]): void {
    if (this.#tag !== undefined) this.signalling.input(this.#tag, input);
  }

  #onEvent(tag: string, event: SessionEvent): void {
    switch (event.kind) {
      case 'offered':
        if (this.#descriptions?.offered(event.by, event.sdp) !== true) this.#exchange.offered(tag, event);
        return;
      case 'asked':
        // A re-INVITE without an offer asks for ours; the first INVITE gets it with our 2xx.
        if (this.#state === 'up' && this.#descriptions?.asked() !== true)
          this.signalling.input(tag, { kind: 'accept', sdp: this.media.offer() });
        return;
      case 'compose':
        this.signalling.input(tag, {
          kind: 'offer',
          sdp: this.#descriptions?.compose() ?? this.media.offer(),
        });
        return;
      case 'progressed': {
        const early = event.sdp !== undefined && this.media.take(event.sdp, tag).ok;
        this.#user.progressed(this, event.status, early);
        return;
      }
      case 'agreed':
        if (this.#descriptions?.agreed(event.sdp) !== true) this.#exchange.agreed(tag, event.sdp);
        return;
      case 'unchanged':
        if (this.#descriptions?.unchanged(event.status) !== true) this.#exchange.unchanged();
        return;
      case 'confirmed':
        this.#confirmed();
        return;
      case 'acknowledged':
        // The ACK of a later INVITE (hold, session timer) begins no call: the user would tell of a second answer.
        if (this.#isAcknowledged) return;
        this.#isAcknowledged = true;
        this.#user.acknowledged(this);
        return;
      case 'delivered': {
        const request = this.signalling.requestOf(event.server);
        if (request !== undefined) this.#user.delivered(this, request, event.server);
        return;
      }
      case 'replied':
        this.#user.replied(this, event.id, event.response?.status ?? (event.unsent ? 503 : 408));
        return;
      case 'ended':
        if (this.#state === 'over' || !isReported(event.cause)) return;
        this.#over();
        this.#user.ended(this, event.cause, this.#byeReason);
        return;
    }
  }

  /** `confirmed` comes before `agreed` in the same step: the answer of a callee is reported with its audio. */
  #confirmed(): void {
    if (this.#tag === '' || this.#state !== 'inviting') return;
    this.#state = 'up';
    // An answer in a reliable 1xx is in force already, and the 2xx brings none: nothing else will follow.
    this.#dependencies.turn(() => {
      if (this.#state !== 'up') return;
      this.media.won(this.#tag ?? '');
      this.#user.answered(this);
    });
  }

  #refuse(status: number, headers: HeaderFields, text?: string): void {
    const waited = this.#state === 'waiting';
    this.#over();
    const fields = withRetry(status, withNote(headers, this.#dependencies.agent, text));
    this.#input({ kind: 'refuse', status, headers: fields });
    if (waited) this.#user.failed(this, { status, text: text ?? failureWords(status, undefined, 0) });
  }

  #failed(status: number, text?: string): void {
    if (this.#state === 'over') return;
    const { final } = this.signalling;
    // The number may have risen by itself: signalling settles a 422.
    const plan = this.#plan && { ...this.#plan, ...this.signalling.invited };
    const again = plan && planAgain(plan, { status, final }, this.#answerChallenge, this.media);
    if (again !== undefined) {
      this.#invite({ ...again, cseq: again.cseq + 1 });
      return;
    }
    this.#over();
    const words = text ?? failureWords(status, final, 64 * this.#t1Ms);
    this.#user.failed(this, { status, text: words }, final);
  }

  #broken(status: number, text: string): void {
    if (this.#state !== 'over') this.#user.broken(this, status, text);
  }

  /** From here on it only repeats itself: what was described goes, and the datagrams it came in. */
  #over(): void {
    this.#state = 'over';
    this.#exchange.forget();
    this.#plan = undefined;
    this.media.close();
    this.#dependencies.retire(this.name);
  }
}

/** The events of a leg about its peer. */
export interface SipLegUser {
  /** The leg's audio is ready; of a call that came in, and its offer suits us. */
  ready(leg: SipLeg): void;
  progressed(leg: SipLeg, status: number, early: boolean): void;
  answered(leg: SipLeg): void;
  /** An outgoing leg found no session; an incoming one was refused before. */
  failed(leg: SipLeg, why: Unreached, response?: SipResponse): void;
  /** The ACK of the answer to the INVITE that made the leg; it comes once. */
  acknowledged(leg: SipLeg): void;
  ended(leg: SipLeg, cause: LegEndCause, reason: EndReason | undefined): void;
  held(leg: SipLeg, direction: HeldDirection, by: 'reInvite' | 'update'): void;
  /** A request that is not the dialog's own business: INFO, REFER, NOTIFY, OPTIONS. Answer it by `respond`. */
  delivered(leg: SipLeg, request: SipRequest, server: number): void;
  /** Outcome of `send`: a status, 408 when no answer came, 503 when it could not be sent. */
  replied(leg: SipLeg, id: string, status: number): void;
  broken(leg: SipLeg, status: number, text: string): void;
  /** A message could not reach the peer; nothing follows from it but a note for the trace. */
  stranded(leg: SipLeg, text: string): void;
}
