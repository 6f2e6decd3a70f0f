import type { SessionTrace } from '../kernel/session-trace.ts';
import type { ChainOutcome } from './callback/index.ts';

type Trace = Pick<SessionTrace, 'add'>;

const MOST_OF_A_BODY = 500;

/** Notes a callback that goes out now in the trace of its session; the function that comes back notes its outcome. */
export function noteCallback(
  trace: Trace,
  url: string,
  monoMs: () => number,
): (outcome: ChainOutcome) => void {
  const startMs = monoMs();
  trace.add('callbackSent', { url, attempt: 1, late: false });
  return (outcome) => {
    const tookMs = monoMs() - startMs;
    if (outcome.kind === 'answered') {
      const { status, body } = outcome;
      trace.add('callbackAnswered', { status, body: body.slice(0, MOST_OF_A_BODY), tookMs });
    } else trace.add('callbackFailed', { reason: outcome.reason, tookMs });
  };
}

/** Notes a callback that the outbox delivers, perhaps long after the end of its session. */
export const noteQueuedCallback = (trace: Trace, url: string): void =>
  trace.add('callbackSent', { url, attempt: 0, late: false });
