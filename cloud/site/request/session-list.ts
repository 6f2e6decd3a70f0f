import { z } from 'zod';
import {
  type MediaSessionEntry,
  mediaSessionEntrySchema,
  mediaSessionQuerySchema,
} from '#shared/contract/runtime/index.ts';

const pageSchema = z.object({ sessions: z.array(mediaSessionEntrySchema), nextToken: z.string().optional() });

/** A page of the sessions of one host. */
export type SessionPage = z.output<typeof pageSchema>;

/** Undefined: the host has refused, or does not know the question. */
export function pageOf(body: unknown): SessionPage | undefined {
  const read = pageSchema.safeParse(body);
  return read.success ? read.data : undefined;
}

/**
 * One page of the sessions of several hosts, each of which has given its first ones behind the same id. A session whose host is taken
 * over stands in both lists for a moment: it is shown once.
 */
export function sessionsTogether(
  pages: readonly SessionPage[],
  asked: unknown,
): { readonly sessions: MediaSessionEntry[]; readonly nextToken?: string } {
  const { limit } = mediaSessionQuerySchema.parse(asked);
  const byId = new Map(pages.flatMap(({ sessions }) => sessions.map((each) => [each.sessionId, each])));
  const all = [...byId.values()].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const sessions = all.slice(0, limit);
  const last = sessions.at(-1);
  const hasMore = all.length > sessions.length || pages.some(({ nextToken }) => nextToken !== undefined);
  return { sessions, ...(hasMore && last !== undefined && { nextToken: last.sessionId }) };
}
