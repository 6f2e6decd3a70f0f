import type { RandomBytes } from '#shared/id.ts';
import type { Limit, SipRequest } from '../message/index.ts';
import type { TimerBase } from '../transaction/index.ts';
import type { Capability } from './capability.ts';
import type { Outgoing } from './client-transaction.ts';
import type { Flow } from './flow.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** The effects of the endpoint. Each is called at once, inside `receive`, `advance`, `request` or `respond`. */
export interface EndpointEffects {
  send(flow: Flow, bytes: Buffer): void;
  /** A request that passed every general check, once. Answer it by `server.respond`, now or later. */
  deliver(request: SipRequest, server: ServerTransaction, flow: Flow, nowMs: number): void;
  /** ACK of a 2xx: a message of the dialog, without a transaction of its own (RFC 3261 13.3.1.4). */
  acknowledged(ack: SipRequest, flow: Flow, nowMs: number): void;
  /** A CANCEL met this unanswered INVITE (and got its 200): answer the INVITE with 487. Absent: done here. */
  cancelled?(invite: ServerTransaction, cancel: SipRequest, nowMs: number): void;
  /** The user did not answer this INVITE in time, and it got its 408: further work on it has no effect. Absent: a defect. */
  overdue?(invite: ServerTransaction, nowMs: number): void;
  /** No ACK came for a refused INVITE, or the transport broke under an answer. */
  serverFailed?(server: ServerTransaction, cause: 'timeout' | 'transport', nowMs: number): void;
  /** Something of ours is broken; the message it concerned was ended with 500 where it could be. */
  onDefect(error: unknown, doing: string): void;
  /** Ways for requests that are too long for UDP; without it they still go by UDP. */
  readonly streams?: StreamRoutes;
  trace?(direction: 'in' | 'out', flow: Flow, bytes: Buffer, nowMs: number): void;
}

/** Connections to where UDP would go, for what is too long for it (RFC 3261 18.1.1). */
export interface StreamRoutes {
  /** `opened` is called once, at once or later; undefined: no server takes a connection there, or UDP was asked for by name. */
  open(outgoing: Outgoing, flow: Flow, opened: (stream: Flow | undefined, nowMs: number) => void): void;
  /** A connection opened there and brought no response at all. */
  failed(flow: Flow, nowMs: number): void;
}

export interface EndpointOptions {
  readonly effects: EndpointEffects;
  readonly capability: Capability;
  readonly random: RandomBytes;
  /** Monotonic ms at construction. */
  readonly nowMs: number;
  /** Hears of each due time when its timer is started. */
  readonly wakeBy?: (dueMs: number) => void;
  readonly timerBase?: TimerBase;
  readonly limit?: Limit;
  /** Server transactions held at once; above it new requests are answered 503 without one. Default 200,000. */
  readonly maxServers?: number;
  /** Retry-After of that 503, seconds. Default 5. */
  readonly retryAfterS?: number;
  /** Longest time an INVITE may wait for a final response, or behind a 1xx but 100, before it is answered 408, ms. Default 185,000. */
  readonly inviteAnswerMs?: number;
  /** `host:port` of Via for a flow, where another address than the local one is to be shown. */
  readonly sentBy?: (flow: Flow) => string;
}

/** Counts of events that leave no other mark; the publisher of metrics reads them. */
export interface EndpointCounts {
  received: number;
  malformed: number;
  retransmissions: number;
  merged: number;
  strayResponses: number;
  overload: number;
  defects: number;
}
