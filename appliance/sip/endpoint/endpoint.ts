import { hostPort } from '#shared/host-port.ts';
import { TimerWheel } from '../../kernel/timer-wheel.ts';
import {
  type Answer,
  DEFAULT_LIMIT,
  FIELD,
  type HeaderFields,
  type Limit,
  MAGIC_COOKIE,
  type Malformed,
  parseMessage,
  parseVia,
  responseTo,
  type SipRequest,
  type SipResponse,
  writeRequest,
} from '../message/index.ts';
import { clientKey, DEFAULT_TIMER_BASE, requestKey, responseKey } from '../transaction/index.ts';
import { type Capability, optionsAnswer, refusal } from './capability.ts';
import {
  type ClientHost,
  ClientTransaction,
  type OnOutcome,
  type Outgoing,
  type SentRequest,
} from './client-transaction.ts';
import type { EndpointCounts, EndpointEffects, EndpointOptions, StreamRoutes } from './effects.ts';
import { type Flow, replyFlow } from './flow.ts';
import { LONGEST_DATAGRAM, LongRequest } from './long-request.ts';
import { type ServerHost, ServerTransaction, TRYING_MS } from './server-transaction.ts';
import { TokenSource } from './token.ts';
import type { Wheel } from './transaction.ts';
import { TransactionMap } from './transaction-map.ts';

/** The one table from the fault of a parser to the status for the sender (RFC 3261 21.4.1, 21.5.6, 21.5.7). */
const STATUS_OF: Readonly<Record<Malformed['code'], number>> = {
  Malformed: 400,
  UnknownVersion: 505,
  TooLarge: 513,
};

/**
 * Owner of every SIP transaction: bytes come in with their flow and the time, bytes and requests go out.
 *
 * ```
 *   receive ─ parse ─┬─ malformed ─────────────────────────────▶ 400 505 513
 *                    ├─ response ─ client transaction ─────────▶ outcome   (else stray: counted)
 *                    ├─ ACK ─ INVITE server transaction ───────▶ absorbed, or acknowledged
 *                    └─ request ─┬─ known transaction ─────────▶ response repeated
 *                                └─ new ─┬─ merged ────────────▶ 482
 *                                        ├─ CANCEL ────────────▶ 200 and cancelled, 481
 *                                        ├─ refused ───────────▶ 4xx 5xx of the capability
 *                                        ├─ OPTIONS ───────────▶ 200 from the capability
 *                                        └─ deliver
 * ```
 * Nothing is ever found by a scan, see `TransactionMap`.
 */
export class SipEndpoint {
  readonly counts: EndpointCounts = {
    received: 0,
    malformed: 0,
    retransmissions: 0,
    merged: 0,
    strayResponses: 0,
    overload: 0,
    defects: 0,
  };
  readonly #options: EndpointOptions;
  readonly #effects: EndpointEffects;
  readonly #capability: Capability;
  readonly #token: TokenSource;
  readonly #limit: Limit;
  /**
   * Chosen: transactions keep a wheel of their own beside that of the engine. A scope of the engine's wheel finds timers by the
   * names of their owners, which costs 1.1 µs more for each request answered, of 6 µs in all.
   */
  readonly #wheel: Wheel;
  readonly #transactions = new TransactionMap();
  readonly #host: ServerHost & ClientHost;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#effects = options.effects;
    this.#capability = options.capability;
    this.#token = new TokenSource(options.random);
    this.#limit = options.limit ?? DEFAULT_LIMIT;
    this.#wheel = new TimerWheel(options.nowMs, options.wakeBy);
    this.#host = {
      wheel: this.#wheel,
      timerBase: options.timerBase ?? DEFAULT_TIMER_BASE,
      send: (flow, bytes, nowMs) => this.#send(flow, bytes, nowMs),
      ended: (transaction) => this.#transactions.remove(transaction),
      newTag: () => this.#token.next(),
      delivered: (server, request, flow, nowMs) => this.#deliver(server, request, flow, nowMs),
      acknowledged: (ack, _server, flow, nowMs) => this.#effects.acknowledged(ack, flow, nowMs),
      serverFailed: (server, cause, nowMs) => this.#effects.serverFailed?.(server, cause, nowMs),
      unanswered: (server, nowMs) => this.#unanswered(server, nowMs),
      startCancel: (cancel, invite, nowMs) => this.#startCancel(cancel, invite, nowMs),
    };
  }

  get serverCount(): number {
    return this.#transactions.serverCount;
  }

  get clientCount(): number {
    return this.#transactions.clientCount;
  }

  /** One datagram, or one message a framer cut from a stream. Never throws. */
  receive(flow: Flow, bytes: Buffer, nowMs: number): void {
    this.counts.received++;
    try {
      this.#effects.trace?.('in', flow, bytes, nowMs);
      const parsed = parseMessage(bytes, { framing: FRAMING[flow.transport], limit: this.#limit });
      if (!parsed.ok) this.#malformed(parsed.error, flow, nowMs);
      else if (parsed.value.kind === 'response') this.#response(parsed.value, flow, nowMs);
      else if (parsed.value.method === 'ACK') this.#ack(parsed.value, flow, nowMs);
      else this.#request(parsed.value, flow, nowMs);
    } catch (error) {
      this.#defect(error, 'receiving a message');
    }
  }

  /** Fires every timer due. Never throws. */
  advance(nowMs: number): void {
    for (const { key: transaction, name: timer } of this.#wheel.advance(nowMs)) {
      try {
        transaction.fire(timer, nowMs);
      } catch (error) {
        this.#defect(error, `timer ${timer} of ${transaction.method}`);
      }
    }
  }

  /** When `advance` is wanted next; undefined when no timer runs. Later calls may name an earlier time. */
  nextDueMs(): number | undefined {
    return this.#wheel.nextDueMs();
  }

  /**
   * Sends a request in a transaction of its own; every response and the end come by `onOutcome`. One that is too long for
   * UDP goes over a connection where one is to be had (`StreamRoutes`), else still by UDP. Throws `TypeError` when a value
   * holds CR, LF or NUL or CSeq names another method.
   */
  request(outgoing: Outgoing, flow: Flow, nowMs: number, onOutcome: OnOutcome): SentRequest {
    const { branch, via, bytes } = this.#written(outgoing, flow);
    const streams = this.#streamsFor(outgoing, flow, bytes);
    if (streams === undefined)
      return this.#startClient({ flow, outgoing, branch, via, bytes }, nowMs, onOutcome);
    const begin = (by: Flow, atMs: number, tell: OnOutcome): ClientTransaction =>
      this.#startClient({ flow: by, outgoing, ...this.#written(outgoing, by) }, atMs, tell);
    const long = new LongRequest({ flow, streams, onOutcome, begin });
    streams.open(outgoing, flow, (stream, atMs) => long.opened(stream, atMs));
    return long;
  }

  /** Sends the ACK of a 2xx, which has no transaction: it is sent again for every repeated 2xx. */
  sendAck(outgoing: Outgoing, flow: Flow, nowMs: number): void {
    const { bytes } = this.#written(outgoing, flow);
    const streams = this.#streamsFor(outgoing, flow, bytes);
    if (streams === undefined) this.#send(flow, bytes, nowMs);
    else
      streams.open(outgoing, flow, (stream, atMs) => {
        const hopFlow = stream ?? flow;
        this.#send(hopFlow, this.#written(outgoing, hopFlow).bytes, atMs);
      });
  }

  /** The connection closed, or this address cannot be reached: everything under way there fails. Never throws. */
  transportFailed(flow: Flow, nowMs: number): void {
    for (const transaction of this.#transactions.at(flow)) {
      try {
        transaction.input('transport error', undefined, nowMs);
      } catch (error) {
        this.#defect(error, `transport failure of ${transaction.method}`);
      }
    }
  }

  #send(flow: Flow, bytes: Buffer, nowMs: number): void {
    this.#effects.trace?.('out', flow, bytes, nowMs);
    this.#effects.send(flow, bytes);
  }

  #defect(error: unknown, doing: string): void {
    this.counts.defects++;
    this.#effects.onDefect(error, doing);
  }

  #malformed(error: Malformed, flow: Flow, nowMs: number): void {
    this.counts.malformed++;
    const kept = error.kept;
    // A broken response and a broken ACK are never answered; without a Via the sender could not match the answer.
    if (kept === undefined || kept.method === 'ACK') return;
    const row = kept.fields.find(FIELD.via);
    if (row < 0) return;
    const via = parseVia(kept.fields.text, kept.fields.valueAt(row), kept.fields.valueEnd(row));
    const answer = { status: STATUS_OF[error.code], toTag: this.#token.next() };
    const reason = error.code === 'Malformed' ? { reason: `Bad Request (${error.path ?? 'message'})` } : {};
    const bytes = responseTo(kept, sourceOf(flow), { ...answer, ...reason });
    this.#send(via === undefined ? flow : replyFlow(flow, via), bytes, nowMs);
  }

  #response(response: SipResponse, flow: Flow, nowMs: number): void {
    const client = this.#transactions.client(responseKey(response));
    if (client === undefined) this.counts.strayResponses++;
    else client.receive(response, flow, nowMs);
  }

  #ack(ack: SipRequest, flow: Flow, nowMs: number): void {
    const invite = this.#transactions.server(requestKey(ack), ack);
    if (invite === undefined) this.#effects.acknowledged(ack, flow, nowMs);
    else invite.input('ACK', ack, nowMs);
  }

  #request(request: SipRequest, flow: Flow, nowMs: number): void {
    const key = requestKey(request);
    const known = this.#transactions.server(key, request);
    if (known?.answersChallenge(request) || known?.isAnother(request)) known.abandon();
    else if (known !== undefined) {
      this.counts.retransmissions++;
      this.#transactions.arriveAgain(known, request, flow);
      known.input('request', request, nowMs);
      return;
    }
    if (this.#transactions.serverCount >= (this.#options.maxServers ?? 200_000)) {
      this.#overloaded(request, flow, nowMs);
      return;
    }
    const server = new ServerTransaction(this.#host, flow, request, key);
    if (!this.#transactions.addServer(server)) {
      this.counts.merged++;
      this.#answerAtOnce(request, flow, MERGED, nowMs);
      return;
    }
    try {
      server.begin(nowMs);
    } catch (error) {
      this.#defect(error, `answering ${request.method}`);
      server.respond({ status: 500 }, nowMs);
    }
    if (!server.answered && server.state !== 'Terminated') this.#awaitAnswer(server, nowMs);
  }

  /** The end of the general checks: what arrives at `effects.deliver` is new, whole and allowed. */
  #deliver(server: ServerTransaction, request: SipRequest, flow: Flow, nowMs: number): void {
    if (!this.#transactions.claim(server)) {
      this.counts.merged++;
      server.respond(MERGED, nowMs);
      return;
    }
    const refused = refusal(request, this.#capability);
    if (refused !== undefined) server.respond(refused, nowMs);
    else if (request.method === 'CANCEL') this.#cancel(server, request, nowMs);
    else if (request.method === 'OPTIONS' && request.to.tag === undefined) {
      server.respond(optionsAnswer(this.#capability), nowMs);
    } else this.#effects.deliver(request, server, flow, nowMs);
  }

  /** RFC 3261 9.2. */
  #cancel(server: ServerTransaction, cancel: SipRequest, nowMs: number): void {
    const invite = this.#transactions.server(requestKey(cancel, 'INVITE'), cancel);
    if (invite === undefined) {
      server.respond({ status: 481 }, nowMs);
      return;
    }
    server.respond({ status: 200, toTag: invite.toTag }, nowMs);
    if (invite.answered) return;
    if (this.#effects.cancelled === undefined) invite.respond({ status: 487 }, nowMs);
    else this.#effects.cancelled(invite, cancel, nowMs);
  }

  #overloaded(request: SipRequest, flow: Flow, nowMs: number): void {
    this.counts.overload++;
    const headers: HeaderFields = [['Retry-After', String(this.#options.retryAfterS ?? 5)]];
    this.#answerAtOnce(request, flow, { status: 503, headers }, nowMs);
  }

  /** Without a transaction: a repeat gets the same answer made again. */
  #answerAtOnce(request: SipRequest, flow: Flow, answer: Answer, nowMs: number): void {
    const bytes = responseTo(request, sourceOf(flow), { ...answer, toTag: this.#token.next() });
    this.#send(replyFlow(flow, request.topVia), bytes, nowMs);
  }

  #awaitAnswer(server: ServerTransaction, nowMs: number): void {
    if (server.method !== 'INVITE') {
      server.answerWithin(this.#host.timerBase.t1Ms * 64, nowMs);
      return;
    }
    server.startTimer('trying', TRYING_MS, nowMs);
    server.answerWithin(this.#options.inviteAnswerMs ?? 185_000, nowMs);
  }

  /**
   * The transaction user never answered. INVITE: 408 (RFC 3261 21.4.9). Others: the client gave up when its
   * timer F fired, and an answer now would only be misread (RFC 4320 4.2), so the transaction ends in silence.
   */
  #unanswered(server: ServerTransaction, nowMs: number): void {
    const { overdue } = this.#effects;
    if (server.method === 'INVITE' && overdue !== undefined) {
      server.respond({ status: 408 }, nowMs);
      overdue(server, nowMs);
      return;
    }
    this.#defect(new Error('no final response from the transaction user'), `answering ${server.method}`);
    if (server.method === 'INVITE') server.respond({ status: 408 }, nowMs);
    else server.abandon();
  }

  #written(outgoing: Outgoing, flow: Flow): Written {
    const branch = MAGIC_COOKIE + this.#token.next();
    const via = this.#via(flow, branch);
    return { branch, via, bytes: writeRequest({ ...outgoing, headers: completed(outgoing, via) }) };
  }

  /** RFC 3261 18.1.1; undefined: it goes by its flow. */
  #streamsFor({ pinned }: Outgoing, flow: Flow, { length }: Buffer): StreamRoutes | undefined {
    const isLong = flow.transport === 'UDP' && length > LONGEST_DATAGRAM && pinned !== true;
    return isLong ? this.#effects.streams : undefined;
  }

  #via(flow: Flow, branch: string): string {
    const sentBy = this.#options.sentBy?.(flow) ?? hostPort(flow.localAddress, flow.localPort);
    return `SIP/2.0/${flow.transport} ${sentBy};branch=${branch};rport`;
  }

  #startClient(
    { flow, outgoing, branch, via, bytes }: Written & { readonly flow: Flow; readonly outgoing: Outgoing },
    nowMs: number,
    onOutcome: OnOutcome,
  ): ClientTransaction {
    const client = new ClientTransaction(this.#host, flow, outgoing, branch, via, onOutcome);
    this.#transactions.addClient(client);
    client.begin(bytes, nowMs);
    return client;
  }

  #startCancel(cancel: Outgoing, invite: ClientTransaction, nowMs: number): void {
    if (this.#transactions.client(clientKey(invite.branch, 'CANCEL')) !== undefined) return;
    // RFC 3261 9.1: the answer to CANCEL decides nothing; the INVITE ends by its own 487 or by timer B.
    const { flow, branch, via } = invite;
    const bytes = writeRequest(cancel);
    this.#startClient({ flow, outgoing: cancel, branch, via, bytes }, nowMs, () => undefined);
  }
}

/** A request of ours as it leaves by one flow. */
interface Written {
  readonly branch: string;
  readonly via: string;
  readonly bytes: Buffer;
}

const MERGED: Answer = { status: 482, reason: 'Request Merged' };

const FRAMING = { UDP: 'datagram', TCP: 'stream', TLS: 'stream', WS: 'frame', WSS: 'frame' } as const;

const sourceOf = (flow: Flow): { readonly address: string; readonly port: number } => ({
  address: flow.remoteAddress,
  port: flow.remotePort,
});

/** The caller's fields with Via on top and Max-Forwards where it is missing (RFC 3261 8.1.1). */
function completed({ method, headers }: Outgoing, via: string): HeaderFields {
  let maxForwards = false;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'max-forwards') maxForwards = true;
    else if (lower === 'cseq' && !value.endsWith(` ${method}`))
      throw new TypeError(`CSeq of ${method} is "${value}"`);
  }
  return maxForwards ? [['Via', via], ...headers] : [['Via', via], ['Max-Forwards', '70'], ...headers];
}
