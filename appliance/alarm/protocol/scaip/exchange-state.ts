import type { AnsweredVoice, EventKind } from '../protocol.ts';
import type { ExchangeEffect } from './exchange-input.ts';
import type { ScaipProfile } from './profile.ts';
import type { ScaipRequest } from './request.ts';
import type { ScaipResponse } from './response.ts';
import type { AskedVoice, VoiceAnswer } from './voice-answer.ts';

export type ExchangeState = 'new' | 'collecting' | 'storing' | 'asking' | 'answered' | 'closed';

/** A way back to the device, and the reference it waits for. */
export interface PendingReply {
  readonly to: string;
  readonly ref: string;
  /** Name of the source it leads to. */
  readonly from?: string;
  /** When its request came, monotonic ms. */
  readonly at: number;
}

/** An event on its way to the disk, with those who wait for its answer. */
export interface PendingEvent {
  readonly ordinal: number;
  readonly kind: EventKind;
  readonly fingerprint: string;
  readonly ways: readonly PendingReply[];
}

/** A part of a split request; `ways` wait until it is on the disk. */
export interface Part {
  readonly request: ScaipRequest;
  readonly ways: readonly PendingReply[];
}

/** Everything between us and one device about one reference. */
export interface Exchange {
  readonly state: ExchangeState;
  readonly cid: string;
  readonly ref: string;
  /** References of cancels that this exchange has taken in place of its own. */
  readonly aliases: readonly string[];
  /** In force since the first request. */
  readonly profile: ScaipProfile;
  /** Fingerprints of what was taken over: the same again is a repeat. */
  readonly taken: readonly string[];
  readonly parts: readonly Part[];
  /** Facts of the first event that the answer needs; null until there is one. */
  readonly asked: AskedVoice | null;
  readonly pending: readonly PendingEvent[];
  readonly nextOrdinal: number;
  /** Durable requests without an answer. */
  readonly waiting: readonly PendingReply[];
  readonly lastWay: PendingReply | null;
  /** The device was asked to hold: it gets its answer when it asks again. */
  readonly held: boolean;
  /** Decided while the device holds. */
  readonly decided: Pick<VoiceAnswer, 'response' | 'voice'> | null;
  /** Last answer: what a repeat gets. */
  readonly last: ScaipResponse | null;
  /** The side that places the call after the final answer; null until there is one. */
  readonly voice: AnsweredVoice | null;
}

export interface ExchangeStep {
  readonly state: Exchange;
  readonly effects: readonly ExchangeEffect[];
}

export function initial(cid: string, ref: string, profile: ScaipProfile): Exchange {
  return {
    state: 'new',
    cid,
    ref,
    aliases: [],
    profile,
    taken: [],
    parts: [],
    asked: null,
    pending: [],
    nextOrdinal: 0,
    waiting: [],
    lastWay: null,
    held: false,
    decided: null,
    last: null,
    voice: null,
  };
}

/** Whether this exchange is not over: further requests of its reference belong to it. */
export const isOpen = ({ state }: Exchange): boolean => state !== 'closed';

/** Whether `request` was taken over before and can be answered without handling it again. */
export const isRepeat = (exchange: Exchange, { fingerprint }: ScaipRequest): boolean =>
  exchange.taken.includes(fingerprint) && (isOpen(exchange) || exchange.last !== null);

/** The data of an exchange that a restart needs, as plain JSON; ways back to the device die with the process. */
export interface ExchangeSnapshot {
  readonly version: 1;
  readonly exchange: Omit<Exchange, 'waiting' | 'lastWay' | 'pending' | 'parts'> & {
    readonly parts: readonly ScaipRequest[];
  };
}

export function snapshot({ waiting, lastWay, pending, parts, ...kept }: Exchange): ExchangeSnapshot {
  return { version: 1, exchange: { ...kept, parts: parts.map(({ request }) => request) } };
}

/** The exchange of a snapshot; give it `recovered` first. undefined: written by a version that is not understood. */
export function restore({ version, exchange }: ExchangeSnapshot): Exchange | undefined {
  if (version !== 1) return undefined;
  const parts = exchange.parts.map((request) => ({ request, ways: [] }));
  return { ...exchange, parts, pending: [], waiting: [], lastWay: null };
}
