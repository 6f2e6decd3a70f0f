import { z } from 'zod';
import { type MediaQueueEntry, mediaQueueEntrySchema } from '#shared/contract/runtime/index.ts';

const listSchema = z.object({ queues: z.array(mediaQueueEntrySchema) });

/** The queues of one host; undefined: it has refused, or does not know the question. */
export function queuesOf(body: unknown): readonly MediaQueueEntry[] | undefined {
  const read = listSchema.safeParse(body);
  return read.success ? read.data.queues : undefined;
}

/** A queue of one name on two hosts is two queues: callers of one never meet agents through the other. */
export const queuesTogether = (
  lists: readonly (readonly MediaQueueEntry[])[],
): { readonly queues: readonly MediaQueueEntry[] } => ({
  queues: lists.flat().sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en')),
});

const nameOf = ({ mediaserviceId, queue, siteId, hostId }: MediaQueueEntry): string =>
  [mediaserviceId, queue, siteId, hostId].join('\u0000');
