import type { JournalWrite, SessionRow } from '../../delivery/outbox/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { Origin } from '../protocol/repeat/index.ts';
import type { Decision } from '../session/index.ts';
import type { Arrival } from './arrival.ts';

/** Names the adapter (scaip, nowip, dc09, tone, called) or the row of `MESSAGE_PROTOCOLS`; it is written with each session. */
export type AdapterName = string;

/** The requests of the session to the machine that speaks with the device. */
export type AdapterInput =
  /** The event with this ordinal is on the disk, or is not. */
  | { readonly type: 'stored'; readonly ordinal: number }
  | { readonly type: 'storeFailed'; readonly ordinal: number }
  | { readonly type: 'decision'; readonly decision: Decision }
  /** `isDealtWith`: its device need not call any more. */
  | { readonly type: 'sessionEnded'; readonly isDealtWith: boolean };

/** The meaning of a decision for a device that calls by itself. */
export const answeredVoice = ({ kind }: Decision): 'none' | 'refused' | 'deviceCalls' =>
  kind === 'noVoice' ? 'none' : kind === 'notHandled' ? 'refused' : 'deviceCalls';

/** State of an adapter that is stored with a session, so that a restart takes it up again. */
export interface PersistedAdapterState {
  /** Plain JSON; the front reads it back. */
  readonly body: unknown;
  /** Repeats are known by this name. */
  readonly dedupeKey: string;
  /** How long repeats are answered after now, ms. */
  readonly dedupeMs: number;
}

/** Stored state as the journal gives it back. */
export interface RestoredAdapterState {
  readonly body: unknown;
  /** The session goes on. */
  readonly open: boolean;
  /** The row waits for more of the device: it has no session yet. */
  readonly waits: boolean;
  /** Sender of its first event; undefined: it has no session yet. */
  readonly came: { readonly fromUser: string; readonly origin: Origin } | undefined;
}

/** Events of an adapter, as far as their repeats have to be known. */
export interface StoredEvents {
  /** The commit of an event of this conversation has succeeded. `atMs`: monotonic. */
  stored(conversation: string, atMs: number): void;
}

/**
 * The device's side of alarms: the machines of its protocols with their ways back. A conversation is what one machine
 * holds about one alarm; its name is unique among all fronts and names the case.
 */
export interface ProtocolAdapter {
  readonly name: AdapterName;
  /** The sessions report each commit to it; absent: the adapter remembers nothing of its events. */
  readonly repeats?: StoredEvents;
  /** A step of the session of this conversation. Runs inside a turn of the alarm sessions. */
  input(conversation: string, input: AdapterInput): void;
  /** Undefined: there is nothing that could be taken up again. */
  keep(conversation: string): PersistedAdapterState | undefined;
  /** Rows that belong into the commit of an event, beside that of its session. */
  alsoStored(conversation: string, session: SessionRow): readonly JournalWrite[];
  /** Takes back what an earlier life kept; the name of the conversation, or undefined when it cannot be read. */
  conversationOf(body: unknown): string | undefined;
  restore(kept: RestoredAdapterState): void;
}

/** One event of a device on its way to its session. */
export interface AdapterEvent {
  readonly conversation: string;
  readonly said: ProtocolEvent;
  /** How it came; undefined: the session that is there knows. */
  readonly arrival: Arrival | undefined;
}
