import { invalid } from '#shared/contract/invalid.ts';
import {
  type MediaQueueAsk,
  type MediaQueueEntry,
  mediaQueueQuerySchema,
} from '#shared/contract/runtime/index.ts';
import { ok, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';

/** The queues of media services on this host. */
export interface KnownMediaQueues {
  readonly queues: (asked: MediaQueueAsk) => readonly MediaQueueEntry[];
}

/** mediaservice/queue: callers that wait, and their agents. */
export async function mediaQueues(
  { mediaSessions: known }: { readonly mediaSessions: KnownMediaQueues },
  body: unknown,
): Promise<Result<{ readonly queues: readonly MediaQueueEntry[] }, OperationFailure>> {
  const said = mediaQueueQuerySchema.safeParse(body);
  return said.success ? ok({ queues: known.queues(said.data) }) : { ok: false, error: invalid(said.error) };
}
