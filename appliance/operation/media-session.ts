import { invalid } from '#shared/contract/invalid.ts';
import {
  type MediaQueueAsk,
  type MediaQueueEntry,
  type MediaSessionAsk,
  type MediaSessionEntry,
  type MediaSessionView,
  mediaQueueQuerySchema,
  mediaSessionAskSchema,
} from '#shared/contract/runtime/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';

/** The queues of media services on this host. */
interface KnownMediaQueues {
  readonly queues: (asked: MediaQueueAsk) => readonly MediaQueueEntry[];
}

/** The sessions of media services that run on this host, and its queues. */
export interface KnownMediaSessions extends KnownMediaQueues {
  /** In the order of their ids. */
  readonly list: (asked: MediaSessionAsk) => {
    readonly sessions: readonly MediaSessionEntry[];
    readonly nextToken?: string;
  };
  readonly byId: (sessionId: string) => MediaSessionView | undefined;
}

type Found = ReturnType<KnownMediaSessions['list']> | { readonly session: MediaSessionView };

/** mediaservice/session: the sessions of this host, or one with its participants and connections. */
export async function mediaSessions(
  { mediaSessions: known }: { readonly mediaSessions: KnownMediaSessions },
  body: unknown,
): Promise<Result<Found, OperationFailure>> {
  const said = mediaSessionAskSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const { sessionId } = said.data;
  if (sessionId === undefined) return ok(known.list(said.data));
  const session = known.byId(sessionId);
  return session === undefined
    ? fail(
        'sessionUnknown',
        `The session ${sessionId} is not shown: it has ended or never began on this host. Check the sessionId.`,
      )
    : ok({ session });
}

/** mediaservice/queue: callers that wait, and their agents. */
export async function mediaQueues(
  { mediaSessions: known }: { readonly mediaSessions: KnownMediaQueues },
  body: unknown,
): Promise<Result<{ readonly queues: readonly MediaQueueEntry[] }, OperationFailure>> {
  const said = mediaQueueQuerySchema.safeParse(body);
  return said.success ? ok({ queues: known.queues(said.data) }) : { ok: false, error: invalid(said.error) };
}
