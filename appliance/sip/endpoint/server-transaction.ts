import { type Answer, responseTo, type SipRequest } from '../message/index.ts';
import { type Effect, inviteServer, nonInviteServer, pathKey } from '../transaction/index.ts';
import { type Flow, replyFlow } from './flow.ts';
import { type GuardName, type Host, Transaction } from './transaction.ts';

export interface ServerHost extends Host {
  newTag(): string;
  /** The request goes to the checks and then to the transaction user. */
  delivered(server: ServerTransaction, request: SipRequest, flow: Flow, nowMs: number): void;
  /** An ACK of a 2xx came in the INVITE's own transaction. */
  acknowledged(ack: SipRequest, server: ServerTransaction, flow: Flow, nowMs: number): void;
  /** No ACK came, or the transport broke. */
  serverFailed(server: ServerTransaction, cause: 'timeout' | 'transport', nowMs: number): void;
  /** The transaction user let the time for an answer pass. */
  unanswered(server: ServerTransaction, nowMs: number): void;
}

/** Time until INVITE is answered 100 for a transaction user that is still thinking (RFC 3261 17.2.1). */
export const TRYING_MS = 200;

/** One received request on its way to its final response, and the retransmissions that may still come. */
export class ServerTransaction extends Transaction {
  /** The key of its request; each path of one has a transaction of its own. */
  override readonly key: string;
  readonly path: string;
  /** The next path of the same request, and whether this one is the one to be answered: kept by `TransactionMap`. */
  next: ServerTransaction | undefined;
  claimed = false;
  /** False for requests inside a dialog, which no fork can double. */
  readonly mayMerge: boolean;
  /** Tells the content of a MESSAGE from another: two messages are no forks of one, whatever else they share. */
  readonly content: number | undefined;
  readonly #host: ServerHost;
  #arrival: Flow;
  #request: SipRequest | undefined;
  #toTag: string | undefined;
  #answered = false;
  /** Credentials that the request brought, once it was challenged; its answer then is no more than the question who it is. */
  #challenged: string | undefined;
  #answerMs: number | undefined;

  constructor(host: ServerHost, arrival: Flow, request: SipRequest, key: string) {
    const machine = request.method === 'INVITE' ? inviteServer : nonInviteServer;
    super(host, replyFlow(arrival, request.topVia), request.method, machine.table, machine.initial.state);
    this.#host = host;
    this.#arrival = arrival;
    this.#request = request;
    this.key = key;
    this.path = pathKey(request);
    this.content = request.method === 'MESSAGE' ? request.bodyHash : undefined;
    this.mayMerge = request.to.tag === undefined && request.method !== 'CANCEL';
  }

  /** The request; undefined once the final response is sent, which then is all that is kept. */
  get request(): SipRequest | undefined {
    return this.#request;
  }

  /** The way its request came, the last time; `flow` is the one that answers take (RFC 3261 18.2.2). */
  get arrival(): Flow {
    return this.#arrival;
  }

  /** Was a final response sent? */
  get answered(): boolean {
    return this.#answered;
  }

  /**
   * Does this request, which came by the same path, answer our challenge? Interop: old clients keep the branch, too, when
   * they add their credentials. Without other credentials it is a retransmission.
   */
  answersChallenge(request: SipRequest): boolean {
    return this.#challenged !== undefined && this.#challenged !== credentialsOf(request);
  }

  /** Does this request, which names itself as the answered one did, say something else? A unit that never changes its branch. */
  isAnother(request: SipRequest): boolean {
    return this.#answered && this.content !== undefined && this.content !== request.bodyHash;
  }

  /** Was its request answered with a challenge only? */
  get challenged(): boolean {
    return this.#challenged !== undefined;
  }

  /** Tag of To in every response of this transaction: the request's own, else one of ours. */
  get toTag(): string {
    this.#toTag ??= this.#request?.to.tag ?? this.#host.newTag();
    return this.#toTag;
  }

  /** Its request has come again this way, and whoever repeats it listens there. */
  arrives(arrival: Flow, flow: Flow): void {
    this.#arrival = arrival;
    this.move(flow);
  }

  begin(nowMs: number): void {
    this.take((this.method === 'INVITE' ? inviteServer : nonInviteServer).initial, this.#request, nowMs);
  }

  /**
   * So long its user may think, ms; a user that has sent the peer a provisional response may think on (RFC 3261 16.6 step 11,
   * 16.7 step 2).
   */
  answerWithin(ms: number, nowMs: number): void {
    this.#answerMs = ms;
    this.startTimer('answer', ms, nowMs);
  }

  /**
   * Sends a response. False when it comes too late: a final one was sent, or the transaction has ended.
   * Throws `TypeError` when a value holds CR, LF or NUL.
   */
  respond(answer: Answer, nowMs: number): boolean {
    const request = this.#request;
    if (request === undefined || this.state === 'Terminated') return false;
    const tagged = answer.toTag === undefined ? { ...answer, toTag: this.toTag } : answer;
    const source = { address: this.#arrival.remoteAddress, port: this.#arrival.remotePort };
    const bytes = responseTo(request, source, tagged);
    const final = answer.status >= 200;
    if (final) {
      this.#answered = true;
      this.#request = undefined;
      if (answer.status === 401 || answer.status === 407) {
        this.#challenged = credentialsOf(request);
        this.claimed = false;
      }
      this.stopTimer('answer');
    }
    this.stopTimer('trying');
    if (!final && answer.status > 100 && this.method === 'INVITE' && this.#answerMs !== undefined)
      this.startTimer('answer', this.#answerMs, nowMs);
    this.input(this.#inputOf(answer.status), bytes, nowMs);
    return true;
  }

  /** Sends the 2xx of an INVITE again: the transaction user's business until the ACK comes (13.3.1.4). */
  repeatFinal(nowMs: number): void {
    if (this.state === 'Accepted' && this.kept !== undefined) this.input('2xx', this.kept, nowMs);
  }

  /** Ends the transaction without an answer. */
  abandon(): void {
    this.take({ state: 'Terminated', effects: [] }, undefined, 0);
  }

  override guard(guard: GuardName, nowMs: number): void {
    if (guard === 'answer') this.#host.unanswered(this, nowMs);
    else if (this.kept === undefined) this.respond({ status: 100 }, nowMs);
  }

  protected override perform(effect: Effect, message: unknown, nowMs: number): void {
    if (effect.kind === 'send') {
      this.kept = message as Buffer;
      this.host.send(this.flow, this.kept, nowMs);
    } else if (effect.kind === 'deliver') {
      const request = message as SipRequest;
      if (request.method === 'ACK') this.#host.acknowledged(request, this, this.#arrival, nowMs);
      else this.#host.delivered(this, request, this.#arrival, nowMs);
    } else if (effect.kind === 'fail') this.#host.serverFailed(this, effect.cause, nowMs);
  }

  #inputOf(status: number): string {
    if (status < 200) return '1xx';
    if (this.method !== 'INVITE') return '200-699';
    return status < 300 ? '2xx' : '300-699';
  }
}

/** One flat string: a piece would keep the whole text of the request. */
const credentialsOf = (request: SipRequest): string =>
  [...request.headers('Authorization'), ...request.headers('Proxy-Authorization')].join('\n');
