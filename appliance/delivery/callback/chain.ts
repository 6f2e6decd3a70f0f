import type { ChainOutcome } from './call.ts';

/**
 * One attempt as the receiver of an event sees it: the same request with one credential after the other until it is
 * let in (document 1, 2.2), all inside one timeout.
 *
 *   start --> sending(c) --401, 403, unsignable--> sending(next c), or settled when every one was tried
 *                        --connection broke------> sending(c) once more; then settled
 *                        --any other answer------> settled: answered
 *                        --any other failure-----> settled: failed
 *                        --time over-------------> settled: failed "timeout"
 *
 * Chosen: a connection that breaks is tried once more at once. A kept connection may be closed by the other side in
 * the moment we use it, and the Idempotency-Key makes the repeat harmless. Any other repeat is the outbox's affair: a
 * person waits behind a live request, and the configured fallback acts sooner.
 */
export interface Chain {
  /** Indexes of the credentials not yet tried, the next one first. */
  readonly left: readonly number[];
  readonly deadlineMonoMs: number;
  readonly repeated: boolean;
}

export type ChainInput = { readonly monoMs: number } & (
  | { readonly kind: 'start' }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly retryAfterS?: number;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string }
  /** No token could be made from the entry. */
  | { readonly kind: 'unsignable'; readonly reason: string }
);

export type ChainEffect =
  | { readonly kind: 'send'; readonly credential: number; readonly timeoutMs: number }
  | { readonly kind: 'settled'; readonly outcome: ChainOutcome };

export interface ChainStep {
  readonly state: Chain;
  readonly effect: ChainEffect;
}

/** `credentials` is their number; none at all is one request without a token. */
export function initialChain(credentials: number, first: number, timeoutMs: number, monoMs: number): Chain {
  const count = Math.max(1, credentials);
  const start = first >= 0 && first < count ? first : 0;
  return {
    left: Array.from({ length: count }, (_, offset) => (start + offset) % count),
    deadlineMonoMs: monoMs + timeoutMs,
    repeated: false,
  };
}

export function stepChain(state: Chain, input: ChainInput): ChainStep {
  switch (input.kind) {
    case 'start':
      return send(state, input.monoMs);
    case 'answered': {
      const refused = input.status === 401 || input.status === 403;
      if (refused && state.left.length > 1) return sendNext(state, input.monoMs);
      const { status, body, retryAfterS } = input;
      const hint = retryAfterS === undefined ? {} : { retryAfterS };
      return settled(state, { kind: 'answered', status, body, credential: state.left[0] ?? 0, ...hint });
    }
    case 'unsignable':
      if (state.left.length > 1) return sendNext(state, input.monoMs);
      return settled(state, { kind: 'failed', code: 'keyInvalid', reason: input.reason });
    case 'failed':
      if (input.code === 'connectionLost' && !state.repeated) {
        return send({ ...state, repeated: true }, input.monoMs);
      }
      return settled(state, { kind: 'failed', code: input.code, reason: input.reason });
  }
}

const sendNext = (state: Chain, monoMs: number): ChainStep =>
  send({ ...state, left: state.left.slice(1) }, monoMs);

function send(state: Chain, monoMs: number): ChainStep {
  const timeoutMs = state.deadlineMonoMs - monoMs;
  if (timeoutMs <= 0) {
    return settled(state, { kind: 'failed', code: 'timeout', reason: 'no answer within callbackTimeout' });
  }
  return { state, effect: { kind: 'send', credential: state.left[0] ?? 0, timeoutMs } };
}

const settled = (state: Chain, outcome: ChainOutcome): ChainStep => ({
  state,
  effect: { kind: 'settled', outcome },
});
