/*
 * The exchange with a LACS device about one alarm.
 *
 *   new --request: event--> storing --onDisk--> taken
 *    ^                       |  | request: waits, too      | request: the same answer at once, no event
 *    +-----------------------+                             | stored: those who wait in time get the answer
 *      storeFailed, sessionEnded: silence                  | storeFailed: silence, new
 *
 * The device gets its answer after the event is on the disk. An answer that a device no longer waits for is not sent: its
 * repeat gets it.
 */

export type LacsState = 'new' | 'storing' | 'taken';

/** A request that waits until its alarm is on the disk. `by`: names it to the caller. */
interface Waiting<T> {
  readonly by: T;
  readonly at: number;
  readonly withinMs: number;
  readonly answer: string | undefined;
}

export interface LacsExchange<T> {
  readonly state: LacsState;
  /** XML that every repeat gets; undefined: the profile has no answer. */
  readonly answer: string | undefined;
  readonly waiting: readonly Waiting<T>[];
}

/** `at`: monotonic ms. */
export type LacsInput<T> =
  /** `answer`: what its profile answers now. `withinMs`: how long its device waits for it. */
  | {
      readonly type: 'request';
      readonly at: number;
      readonly by: T;
      readonly answer: string | undefined;
      readonly withinMs: number;
    }
  /** The commit of the event has succeeded. */
  | { readonly type: 'onDisk'; readonly at: number }
  /** The session asks for the acknowledge. */
  | { readonly type: 'stored'; readonly at: number }
  | { readonly type: 'storeFailed'; readonly at: number }
  | { readonly type: 'sessionEnded'; readonly at: number };

export type LacsEffect<T> =
  /** Give the alarm a session; answer with `onDisk` and `stored`, or `storeFailed`. */
  | { readonly type: 'event' }
  | { readonly type: 'answer'; readonly by: T; readonly xml: string | undefined }
  /** No answer: the device says it again, or goes to its next receiver. */
  | { readonly type: 'silence'; readonly by: T };

export interface LacsStep<T> {
  readonly state: LacsExchange<T>;
  readonly effects: readonly LacsEffect<T>[];
}

export const initial = <T>(): LacsExchange<T> => ({ state: 'new', answer: undefined, waiting: [] });

/** One input to completion. */
export function step<T>(exchange: LacsExchange<T>, input: LacsInput<T>): LacsStep<T> {
  switch (input.type) {
    case 'request':
      return request(exchange, input);
    case 'onDisk':
      return {
        state: exchange.state === 'storing' ? { ...exchange, state: 'taken' } : exchange,
        effects: [],
      };
    case 'stored':
      return stored(exchange, input.at);
    case 'storeFailed':
      return lost(exchange);
    case 'sessionEnded':
      return exchange.state === 'storing' ? lost(exchange) : { state: exchange, effects: [] };
  }
}

function request<T>(
  exchange: LacsExchange<T>,
  { by, at, withinMs, answer }: Extract<LacsInput<T>, { type: 'request' }>,
): LacsStep<T> {
  const one = { by, at, withinMs, answer };
  switch (exchange.state) {
    case 'new':
      return { state: { state: 'storing', answer, waiting: [one] }, effects: [{ type: 'event' }] };
    case 'storing':
      return { state: { ...exchange, waiting: [...exchange.waiting, one] }, effects: [] };
    case 'taken':
      return { state: exchange, effects: [{ type: 'answer', by, xml: exchange.answer }] };
  }
}

function stored<T>(exchange: LacsExchange<T>, nowMs: number): LacsStep<T> {
  if (exchange.state === 'new') return { state: exchange, effects: [] };
  const effects = exchange.waiting.map(
    ({ by, at, withinMs, answer }): LacsEffect<T> =>
      nowMs - at > withinMs ? { type: 'silence', by } : { type: 'answer', by, xml: answer },
  );
  return { state: { ...exchange, state: 'taken', waiting: [] }, effects };
}

/** The event is not on the disk: no answer goes out, and the same request is new when it comes again. */
function lost<T>({ waiting }: LacsExchange<T>): LacsStep<T> {
  return { state: initial(), effects: waiting.map(({ by }) => ({ type: 'silence', by })) };
}
