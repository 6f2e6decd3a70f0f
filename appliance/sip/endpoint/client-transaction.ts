import { type HeaderFields, type SipResponse, writeRequest } from '../message/index.ts';
import { clientKey, type Effect, inviteClient, nonInviteClient } from '../transaction/index.ts';
import type { Flow } from './flow.ts';
import { type GuardName, type Host, Transaction } from './transaction.ts';

/** A request to send. The endpoint adds Via and, when it is missing, Max-Forwards. */
export interface Outgoing {
  readonly method: string;
  readonly uri: string;
  /** From with tag, To, Call-ID, CSeq and whatever else; no Via, no Content-Length. */
  readonly headers: HeaderFields;
  readonly body?: Uint8Array;
  /** It stays on its flow, however long it is: nothing else leads through the NAT before its peer. */
  readonly pinned?: boolean;
  /** The Request-URI names a strict router: the request goes there, whatever Route says (RFC 3261 12.2.1.1). */
  readonly isStrict?: boolean;
  /** An INVITE that has no response by then is over, ms; absent: as timer B says. */
  readonly responseWithinMs?: number;
}

/** A request under way, for whoever sent it. */
export interface SentRequest {
  /** By which it goes: another one than asked for where it is too long for UDP. */
  readonly flow: Flow;
  readonly branch: string;
  /** Top Via of the request. */
  readonly via: string;
  /** Ends an INVITE before it is answered. */
  cancel(nowMs: number): void;
  /** Its outcome is of no interest any more; `late` hears what still comes. */
  leave(late?: OnOutcome): void;
}

/** The events of a client transaction: responses as they come, at the end a final one or one of the two failures. */
export type Outcome =
  /** `arrival`: the way it came, which is another one where the peer has opened a new connection. */
  | { readonly kind: 'response'; readonly response: SipResponse; readonly arrival: Flow }
  /** No answer came in 64 × T1; to be treated as 408 (RFC 3261 8.1.3.1). */
  | { readonly kind: 'timeout' }
  /** To be treated as 503 (8.1.3.1). */
  | { readonly kind: 'transportFailed' };

export type OnOutcome = (outcome: Outcome, nowMs: number) => void;

export interface ClientHost extends Host {
  /** Starts the CANCEL of an INVITE: a transaction of its own in the same branch. */
  startCancel(cancel: Outgoing, invite: ClientTransaction, nowMs: number): void;
}

/** One request we sent, until its final response and what may still come behind it. */
export class ClientTransaction extends Transaction implements SentRequest {
  override readonly key: string;
  readonly branch: string;
  /** Top Via of the request; ACK and CANCEL carry the same. */
  readonly via: string;
  readonly #host: ClientHost;
  #onOutcome: OnOutcome;
  #outgoing: Outgoing | undefined;
  #cancelWanted = false;
  #arrival: Flow;

  constructor(
    host: ClientHost,
    flow: Flow,
    outgoing: Outgoing,
    branch: string,
    via: string,
    onOutcome: OnOutcome,
  ) {
    const machine = outgoing.method === 'INVITE' ? inviteClient : nonInviteClient;
    super(host, flow, outgoing.method, machine.table, machine.initial.state);
    this.#host = host;
    this.#outgoing = outgoing;
    this.#onOutcome = onOutcome;
    this.#arrival = flow;
    this.branch = branch;
    this.via = via;
    this.key = clientKey(branch, outgoing.method);
  }

  begin(bytes: Buffer, nowMs: number): void {
    this.take((this.method === 'INVITE' ? inviteClient : nonInviteClient).initial, bytes, nowMs);
    const withinMs = this.#outgoing?.responseWithinMs;
    if (withinMs !== undefined) this.expectResponse(withinMs, nowMs);
  }

  /** Ends an INVITE before it is answered: CANCEL leaves now or with the first provisional response (9.1). */
  cancel(nowMs: number): void {
    if (this.method !== 'INVITE' || this.#cancelWanted) return;
    this.#cancelWanted = true;
    this.input('cancel', undefined, nowMs);
  }

  /**
   * The sender waits for nothing more: its objects are released before the transaction has ended. `late` gets the later
   * outcomes.
   */
  leave(late: OnOutcome = NO_LISTENER): void {
    this.#onOutcome = late;
  }

  receive(response: SipResponse, arrival: Flow, nowMs: number): void {
    this.#arrival = arrival;
    const before = this.state;
    this.input(this.#inputOf(response.status), response, nowMs);
    const ringing = before !== this.state && this.state === 'Proceeding';
    if (ringing && this.#cancelWanted) this.input('cancel', undefined, nowMs);
  }

  /** An INVITE that has no response by then is over, as behind timer B. For others silence has no meaning. */
  expectResponse(withinMs: number, nowMs: number): void {
    if (this.method === 'INVITE') this.startTimer('answer', withinMs, nowMs);
  }

  override guard(_guard: GuardName, nowMs: number): void {
    if (this.state === 'Calling') this.input('timer B', undefined, nowMs);
  }

  protected override perform(effect: Effect, message: unknown, nowMs: number): void {
    const outgoing = this.#outgoing;
    if (effect.kind === 'send') {
      this.kept = message as Buffer;
      this.host.send(this.flow, this.kept, nowMs);
    } else if (effect.kind === 'deliver') {
      const response = message as SipResponse;
      const tell = this.#onOutcome;
      if (response.status >= 200) this.#forget();
      tell({ kind: 'response', response, arrival: this.#arrival }, nowMs);
    } else if (effect.kind === 'fail') {
      const tell = this.#onOutcome;
      this.#forget();
      tell({ kind: effect.cause === 'timeout' ? 'timeout' : 'transportFailed' }, nowMs);
    } else if (effect.kind === 'acknowledge' && outgoing !== undefined) {
      this.kept = writeRequest(followUp('ACK', outgoing, this.via, toOf(message as SipResponse)));
      this.host.send(this.flow, this.kept, nowMs);
    } else if (effect.kind === 'cancel' && outgoing !== undefined) {
      this.#host.startCancel(followUp('CANCEL', outgoing, this.via), this, nowMs);
    }
  }

  /** After the final response only the ACK of a refused INVITE is kept, as bytes. */
  #forget(): void {
    this.#outgoing = undefined;
    // Only behind the 2xx of an INVITE another may come: of a fork, or the same again.
    if (this.state !== 'Accepted') this.leave();
    if (this.state !== 'Completed' || this.method !== 'INVITE') this.kept = undefined;
  }

  #inputOf(status: number): string {
    if (status < 200) return '1xx';
    if (this.method !== 'INVITE') return '200-699';
    return status < 300 ? '2xx' : '300-699';
  }
}

const NO_LISTENER: OnOutcome = () => undefined;

/** To of the ACK. A quoted display name may hold an escaped NUL (25.1), which no message of ours carries. */
const toOf = (response: SipResponse): string | undefined => response.header('To')?.replaceAll('\0', ' ');

const COPIED: ReadonlySet<string> = new Set(['from', 'to', 'call-id', 'route', 'max-forwards']);

/**
 * ACK of a final response that is no 2xx (RFC 3261 17.1.1.3), or CANCEL (9.1): Request-URI, top Via, From,
 * Call-ID, Route and the CSeq number of the INVITE; To from the response in an ACK.
 */
function followUp(method: 'ACK' | 'CANCEL', invite: Outgoing, via: string, to?: string): Outgoing {
  const headers: [string, string][] = [['Via', via]];
  for (const [name, value] of invite.headers) {
    const lower = name.toLowerCase();
    if (lower === 'cseq') headers.push([name, `${Number.parseInt(value, 10)} ${method}`]);
    else if (COPIED.has(lower)) headers.push([name, lower === 'to' && to !== undefined ? to : value]);
  }
  return { method, uri: invite.uri, headers };
}
