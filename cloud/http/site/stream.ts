import { createRoute } from '@hono/zod-openapi';
import { siteNewsSchema } from '#shared/contract/site/index.ts';
import type { Listening, SiteChanges } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

/** A browser that lost the stream comes back after this. */
const RETRY_MS = 2_000;
const responses = answers(siteNewsSchema, 'Events, each with the whole state of its subject');
const { content } = responses[200];

/**
 * `GET /site/{domain}/stream`: server-sent events (control plane, section 2; HTML Living Standard 9.2). Each sign of life
 * is also the moment where whoever may not listen any more is let go. `hangUp`: ends the connection of a request, for one
 * who reads nothing any more.
 */
export const siteStreamRouter =
  (changes: Pick<SiteChanges, 'listen'>, hangUp: (env: unknown) => void) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/stream',
        tags: ['Sites'],
        summary: 'Follow changes of hosts, operations and alarms (server-sent events)',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: domainParam },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      (c) => {
        const listening = changes.listen(c.var.tenant.id, c.req.header('Last-Event-ID'), () => hangUp(c.env));
        if (!listening.ok) {
          c.header('Retry-After', '30');
          return refusal(c, listening.error);
        }
        const stays = () => gate.stays(c, 'site', 'reading');
        return c.body(eventsOf(listening.value, stays), 200, HEADERS);
      },
    );
    return router;
  };

/** No proxy keeps anything of it back. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** One event is made when the one before was taken: a slow reader holds up no other reader and fills no memory. */
function eventsOf(listening: Listening, stays: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      pull: async (stream) => {
        const told = await listening.next();
        if (told.event === 'over' || (told.event === 'beat' && !(await stays()))) {
          listening.close();
          stream.close();
          return;
        }
        const text =
          'id' in told
            ? `id: ${told.id}\nevent: ${told.event}\ndata: ${JSON.stringify(told.data)}\n\n`
            : ':\n\n';
        stream.enqueue(encoder.encode(text));
      },
      cancel: () => listening.close(),
    },
    { highWaterMark: 1 },
  );
}
