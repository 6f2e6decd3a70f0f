import {
  type Dialog,
  type Invitation,
  type InvitationEffect,
  type InvitationInput,
  type InvitePlan,
  invitation,
  invite,
  keyOfDialog,
  openIncoming,
  type RequestRef,
  requestFacts,
  responseFacts,
  type Session,
  type SessionEffect,
  type SessionInput,
  type SessionSettings,
  type SessionTimer,
  session,
} from '../../../sip/dialog/index.ts';
import type { Flow, Outcome, Outgoing, SentRequest, ServerTransaction } from '../../../sip/endpoint/index.ts';
import type { Answer, SipRequest, SipResponse } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import { Acknowledgement } from './acknowledgement.ts';
import { lateForks } from './late-fork.ts';
import { DialogNextHop, type NextHop, onItsFlow } from './next-hop.ts';
import { PendingRequests } from './pending-requests.ts';
import { credentialsFor } from './plan-again.ts';
import { Reconnection } from './reconnection.ts';
import {
  type AnswerChallenge,
  INCOMING,
  type Oddity,
  type SignallingDependencies,
  type SignallingPlan,
  type SignallingUser,
  type Timeless,
  timerName,
} from './signalling-port.ts';

/** Refusals of a re-INVITE that the dialog settles by itself. */
const SETTLED: ReadonlySet<number> = new Set([422, 491]);

/**
 * Runs the dialog machines of one leg: an INVITE that came in, or one of ours with all its forks. Performs what the
 * machines want of the endpoint and of the clock, and tells the rest.
 */
export class Signalling {
  readonly #name: LegName;
  readonly #dependencies: SignallingDependencies;
  readonly #user: SignallingUser;
  readonly #settings: SessionSettings;
  readonly #nextHop: DialogNextHop | undefined;
  readonly #answerChallenge: AnswerChallenge | undefined;
  /** Where the peer was met last; of one that `follows` where the call began. */
  #flow: Flow;
  readonly #reconnection: Reconnection;
  #session: Session | undefined;
  #invitation: Invitation | undefined;
  #client: SentRequest | undefined;
  readonly #served = new PendingRequests();
  #rang = false;
  #cancelled = false;
  #final: SipResponse | undefined;
  readonly #ack: Acknowledgement;

  constructor(
    { name, flow, settings, follows = false, answerChallenge }: SignallingPlan,
    dependencies: SignallingDependencies,
    user: SignallingUser,
  ) {
    this.#name = name;
    this.#flow = flow;
    this.#nextHop = follows ? new DialogNextHop(flow, dependencies.find) : undefined;
    this.#reconnection = new Reconnection(dependencies.find);
    this.#answerChallenge = answerChallenge;
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#user = user;
    this.#ack = new Acknowledgement({
      nowMs: dependencies.nowMs,
      send: (ack, by) => dependencies.endpoint.sendAck(this.#pinned(ack, by), by, dependencies.nowMs()),
      seek: (lostFlow, ack, found) => this.#seek(lostFlow, ack, ack.uri, found),
      stranded: (reason) => user.stranded(reason),
      repeatedMs: settings.t1Ms * 64,
    });
  }

  connectionLost(lostFlow: Flow): void {
    this.#ack.connectionLost(lostFlow);
  }

  /** The dialog of a tag; undefined before there is one. */
  dialog(tag: string): Dialog | undefined {
    return (tag === INCOMING ? this.#session : this.#invitation?.legs.get(tag))?.dialog;
  }

  /** By which our next request goes, unless the peer has named a host elsewhere. */
  get flow(): Flow {
    return this.#nextHop?.flow ?? this.#flow;
  }

  /** Call-ID of the INVITE that came, or of ours. */
  get callId(): string | undefined {
    return this.#invitation?.plan.callId ?? this.#session?.dialog.callId;
  }

  /** Nothing will be repeated, and requests in its dialogs are answered as those of an unknown one. */
  get isSettled(): boolean {
    const phase = (this.#invitation ?? this.#session)?.phase;
    return phase === undefined || phase === 'Ended';
  }

  /** The call has no interest any more: a transaction that still waits for repetitions and forks need not hold the leg. */
  release(): void {
    const last = this.#invitation;
    if (last?.winner === undefined) this.#client?.leave();
    else {
      const [flow, nextHop] = [this.#flow, this.#nextHop];
      const hop = (outgoing: Outgoing, send: (hop: NextHop) => void): void =>
        nextHop === undefined ? send({ flow }) : nextHop.take(outgoing, send);
      this.#client?.leave(lateForks(last, { endpoint: this.#dependencies.endpoint, hop }));
    }
  }

  /** Seconds without a refresh after which a session ends (RFC 4028); undefined: it has no timer yet. */
  expiresS(tag: string): number | undefined {
    return (tag === INCOMING ? this.#session : this.#invitation?.legs.get(tag))?.timer?.seconds;
  }

  /** The start of an INVITE that follows ours: the CSeq of ours, and the agreed minimum of its session timer. */
  get invited(): Pick<InvitePlan, 'cseq' | 'minSe'> {
    const { cseq = 0, minSe = 0 } = this.#invitation ?? {};
    return { cseq, minSe };
  }

  /** The last final response to our INVITE as it came: its fields are the user's business. */
  get final(): SipResponse | undefined {
    return this.#final;
  }

  /** Methods the peer said it takes in this dialog. */
  allows(tag: string): readonly string[] {
    return (tag === INCOMING ? this.#session : this.#invitation?.legs.get(tag))?.peerAllows ?? [];
  }

  /**
   * Takes an INVITE outside a dialog.
   *
   * @returns false: no session begins, and the INVITE has its answer
   */
  begin(request: SipRequest, server: ServerTransaction): boolean {
    const number = this.#served.add(server);
    const opened = openIncoming(requestFacts(request), number, server.toTag, this.#settings);
    if ('refusal' in opened) {
      server.respond(opened.refusal, this.#dependencies.nowMs());
      return false;
    }
    this.#session = opened.state;
    this.#dependencies.file(this.#name, keyOfDialog(opened.state.dialog), INCOMING);
    for (const effect of opened.effects) this.#perform(INCOMING, effect);
    return true;
  }

  /** Sends an INVITE. */
  invite(plan: InvitePlan): void {
    const { state, effects } = invite(plan, this.#settings);
    this.#invitation = state;
    for (const effect of effects) this.#performInvitation(effect);
  }

  cancel(): void {
    this.#cancelled = true;
    this.#inviting({ kind: 'cancel', atMs: this.#dependencies.nowMs() });
  }

  /** A request in one of our dialogs. */
  requested(tag: string, request: SipRequest, server: ServerTransaction): void {
    // Flow reuse (RFC 5626 5.3): behind NAT the peer is where it was heard last, be it by another port or connection.
    if (this.#nextHop === undefined) this.#flow = server.arrival;
    // A fork of an INVITE that was said again behind its refusal: its dialog has ended (12.3).
    if (this.dialog(tag) === undefined) server.respond({ status: 481 }, this.#dependencies.nowMs());
    else
      this.input(tag, { kind: 'request', request: requestFacts(request), server: this.#served.add(server) });
  }

  acknowledged(tag: string, ack: SipRequest): void {
    this.input(tag, { kind: 'ack', request: requestFacts(ack) });
  }

  /** Is this the transaction of an INVITE that waits for our answer? */
  cancelled(server: ServerTransaction): void {
    for (const [tag, each] of this.#sessions()) {
      const { pendingInvite } = each;
      if (pendingInvite !== undefined && this.#served.of(pendingInvite.server) === server)
        this.input(tag, { kind: 'cancelled' });
    }
  }

  timer(name: string): void {
    if (name === 'forks') {
      this.#inviting({ kind: 'forksOver', atMs: this.#dependencies.nowMs() });
      return;
    }
    const space = name.indexOf(' ');
    const timer = name.slice(0, space) as SessionTimer;
    this.input(name.slice(space + 1), { kind: 'timer', timer });
  }

  input(tag: string, input: Timeless): void {
    const stamped = { ...input, atMs: this.#dependencies.nowMs() } as SessionInput;
    if (tag !== INCOMING) {
      this.#inviting({ kind: 'leg', tag, input: stamped, atMs: stamped.atMs });
      return;
    }
    if (this.#session === undefined) return;
    const { state, effects } = session.step(this.#session, stamped);
    this.#session = state;
    for (const effect of effects) this.#perform(tag, effect);
    if (state.phase === 'Ended') this.#dependencies.settled(this.#name);
  }

  /** Answers a request that was delivered to the user. */
  respond(server: number, answer: Answer): void {
    this.#served.of(server)?.respond(answer, this.#dependencies.nowMs());
    this.#served.drop(server);
  }

  /** The request of a transaction, as long as it has no answer. */
  requestOf(server: number): SipRequest | undefined {
    return this.#served.of(server)?.request;
  }

  #sessions(): [string, Session][] {
    if (this.#session !== undefined) return [[INCOMING, this.#session]];
    return [...(this.#invitation?.legs ?? [])];
  }

  #inviting(input: InvitationInput): void {
    if (this.#invitation === undefined) return;
    const { state, effects } = invitation.step(this.#invitation, input);
    this.#invitation = state;
    for (const effect of effects) this.#performInvitation(effect);
    if (this.#invitation.phase === 'Ended') this.#dependencies.settled(this.#name);
  }

  #performInvitation(effect: InvitationEffect): void {
    const { endpoint, nowMs, turn, start } = this.#dependencies;
    switch (effect.kind) {
      case 'invite': {
        const outgoing = this.#pinned(effect.outgoing, this.#flow);
        const onOutcome = (outcome: Outcome) => turn(() => this.#inviteOutcome(outcome));
        this.#client = endpoint.request(outgoing, this.#flow, nowMs(), onOutcome);
        return;
      }
      case 'cancel':
        this.#client?.cancel(nowMs());
        return;
      case 'leg': {
        const dialog = this.#invitation?.legs.get(effect.tag)?.dialog;
        if (dialog !== undefined) this.#dependencies.file(this.#name, keyOfDialog(dialog), effect.tag);
        this.#perform(effect.tag, effect.effect);
        return;
      }
      case 'progressed':
        this.#user.rang(effect.status);
        return;
      case 'answered':
        this.#user.won(effect.tag);
        return;
      case 'failed':
        this.#user.failed(effect.status, effect.response);
        return;
      case 'start':
        start(this.#name, 'forks', effect.ms);
        return;
    }
  }

  #inviteOutcome(outcome: Outcome): void {
    const nowMs = this.#dependencies.nowMs();
    const status = outcome.kind === 'response' ? outcome.response.status : 408;
    this.#rang ||= status < 200;
    // A peer that never rang was never sent a CANCEL.
    if (this.#cancelled && ((status >= 200 && status < 300) || (status === 408 && this.#rang))) {
      this.#cancelled = false;
      this.#odd('cancelFailed', status, this.#invitation?.plan.callId);
    }
    if (outcome.kind === 'response') {
      this.#met(outcome.arrival);
      if (status >= 200) this.#final = outcome.response;
      this.#inviting({ kind: 'response', response: responseFacts(outcome.response), atMs: nowMs });
    } else this.#inviting({ kind: 'failed', cause: causeOf(outcome), atMs: nowMs });
  }

  #perform(tag: string, effect: SessionEffect): void {
    const { nowMs, start, stop } = this.#dependencies;
    switch (effect.kind) {
      case 'request':
        this.#send(tag, effect.ref, effect.outgoing);
        return;
      case 'acknowledge':
        this.#hop(effect.outgoing, ({ flow, lost }) => {
          this.#ack.send(effect.outgoing, flow);
          if (lost !== undefined) this.#user.astray(lost);
        });
        return;
      case 'respond':
        this.#served.of(effect.server)?.respond(effect.answer, nowMs());
        if (effect.answer.status >= 300) this.#served.drop(effect.server);
        return;
      case 'repeat':
        this.#served.of(effect.server)?.repeatFinal(nowMs());
        return;
      case 'start': {
        const { timer, ms, spreadMs = 0 } = effect;
        const spread = spreadMs === 0 ? 0 : Math.floor((this.#dependencies.chance() * spreadMs) / 10) * 10;
        start(this.#name, timerName(timer, tag), ms + spread);
        return;
      }
      case 'stop':
        stop(this.#name, timerName(effect.timer, tag));
        return;
      default:
        this.#user.onEvent(tag, effect);
    }
  }

  #send(tag: string, ref: RequestRef, outgoing: Outgoing): void {
    this.#hop(outgoing, ({ flow, lost }) => {
      // A BYE without a next hop goes to where the call began.
      if (lost === undefined || ref.method === 'BYE') this.#request(tag, ref, outgoing, flow);
      else this.#dependencies.turn(() => this.input(tag, { kind: 'failed', ref }));
    });
  }

  #request(tag: string, ref: RequestRef, outgoing: Outgoing, flow: Flow): void {
    const { endpoint, nowMs, turn } = this.#dependencies;
    endpoint.request(this.#pinned(outgoing, flow), flow, nowMs(), (outcome) =>
      turn(() => {
        if (this.#again(tag, ref, outgoing, flow, outcome)) return;
        const status = outcome.kind === 'response' ? outcome.response.status : 408;
        if (ref.method === 'INVITE' && status >= 300 && !SETTLED.has(status))
          this.#odd('reinviteRefused', status, this.dialog(tag)?.callId);
        if (outcome.kind === 'response')
          this.input(tag, { kind: 'response', ref, response: responseFacts(outcome.response) });
        else this.input(tag, { kind: 'failed', ref, cause: causeOf(outcome) });
      }),
    );
  }

  /** A request that was challenged, or whose connection is lost, is sent once more where that can help. */
  #again(tag: string, ref: RequestRef, outgoing: Outgoing, flow: Flow, outcome: Outcome): boolean {
    if (outcome.kind === 'response') {
      const field = credentialsFor(outcome.response, outgoing, this.#answerChallenge);
      if (field === undefined) return false;
      this.input(tag, { kind: 'again', ref, outgoing, credentials: [field] });
      return true;
    }
    if (outcome.kind === 'timeout' || !flow.reliable) return false;
    const target = this.dialog(tag)?.remoteTarget ?? '';
    this.#seek(flow, outgoing, target, (next) => {
      if (next === undefined) this.input(tag, { kind: 'failed', ref, cause: 'transport' });
      else this.input(tag, { kind: 'again', ref, outgoing, credentials: [] });
    });
    return true;
  }

  /** Finds another connection to the peer after its own was lost; later requests use it, too. */
  #seek(lostFlow: Flow, outgoing: Outgoing, target: string, found: (next: Flow | undefined) => void): void {
    const nextHop = this.#nextHop;
    // Meanwhile the peer was perhaps heard by another one.
    const met = (nextHop?.flow ?? this.#flow).reliable ? [nextHop?.flow ?? this.#flow] : [];
    const others = nextHop
      ? met
      : [...met, ...(this.#dependencies.others?.(this.#name, lostFlow, target) ?? [])];
    this.#reconnection.seek(
      { flow: lostFlow, outgoing, nextHop, others },
      this.#dependencies.nowMs(),
      (next) => {
        if (next !== undefined) this.#flow = next;
        found(next);
      },
    );
  }

  /** A response came by this flow: a peer that opened it after the loss of its old connection is reached by it (RFC 5626 5.3). */
  #met(arrival: Flow): void {
    const asked = this.#client?.flow;
    if (asked?.reliable !== true) return;
    if (asked !== this.#flow && !this.#flow.reliable) this.#nextHop?.streamed(asked);
    else if (this.#nextHop === undefined && arrival.reliable && arrival.connection !== asked.connection)
      this.#flow = arrival;
  }

  #pinned(outgoing: Outgoing, flow: Flow): Outgoing {
    return this.#nextHop === undefined ? onItsFlow(outgoing, flow) : outgoing;
  }

  #odd(kind: Oddity['kind'], status: number, callId = ''): void {
    this.#user.odd({ kind, status, callId });
  }

  #hop(outgoing: Outgoing, send: (hop: NextHop) => void): void {
    if (this.#nextHop === undefined) send({ flow: this.#flow });
    else this.#nextHop.take(outgoing, send);
  }
}

const causeOf = ({ kind }: Outcome) => (kind === 'timeout' ? 'timeout' : 'transport');
