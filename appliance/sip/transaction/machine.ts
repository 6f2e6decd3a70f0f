import type { TimerName } from './timer.ts';

/**
 * An effect that a transaction asks for. Rows of the four tables name effects; the endpoint performs them with the
 * message at hand, because no row depends on what a message says beyond its class.
 */
export type Effect =
  /** Hand the request (server) or the response (client) to the transaction user. */
  | { readonly kind: 'deliver' }
  /** Send the message this input brought, and keep its bytes. */
  | { readonly kind: 'send' }
  /** Send the kept bytes again. */
  | { readonly kind: 'repeat' }
  /** Make the ACK of the response this input brought, send it, and keep its bytes (17.1.1.3). */
  | { readonly kind: 'acknowledge' }
  /** Send CANCEL for the request of this transaction (9.1). */
  | { readonly kind: 'cancel' }
  /** Tell the transaction user that it ended without an answer. */
  | { readonly kind: 'fail'; readonly cause: 'timeout' | 'transport' }
  /** `doubled`: twice its last length; `capped`: twice, but T2 at most; `T2`: T2. */
  | {
      readonly kind: 'start';
      readonly timer: TimerName;
      readonly length: 'initial' | 'doubled' | 'capped' | 'T2';
    }
  | { readonly kind: 'stop'; readonly timer: TimerName };

export interface Step<State extends string> {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** Why nothing happens, where nothing happens. */
  readonly ignored?: string;
}

/** A row for every input in every state: what is not thought of does not compile. */
export type Table<State extends string, Input extends string> = Readonly<
  Record<State, Readonly<Record<Input, Step<State>>>>
>;

export const deliver: Effect = { kind: 'deliver' };
export const send: Effect = { kind: 'send' };
export const repeat: Effect = { kind: 'repeat' };
export const acknowledge: Effect = { kind: 'acknowledge' };
export const cancel: Effect = { kind: 'cancel' };
export const failTimeout: Effect = { kind: 'fail', cause: 'timeout' };
export const failTransport: Effect = { kind: 'fail', cause: 'transport' };
export const start = (
  timer: TimerName,
  length: 'initial' | 'doubled' | 'capped' | 'T2' = 'initial',
): Effect => ({
  kind: 'start',
  timer,
  length,
});
export const stop = (timer: TimerName): Effect => ({ kind: 'stop', timer });

/** Row: go to `state` with these effects. */
export const to = <State extends string>(state: State, ...effects: readonly Effect[]): Step<State> => ({
  state,
  effects,
});

/** Row: nothing happens, for this reason. */
export const ignore = <State extends string>(state: State, ignored: string): Step<State> => ({
  state,
  effects: [],
  ignored,
});

/** Reasons that several machines share. */
export const ENDED = 'the transaction has ended';
export const STALE = 'the timer belongs to a state left behind';
export const OTHER_TIMER = 'this timer does not run in this state';
