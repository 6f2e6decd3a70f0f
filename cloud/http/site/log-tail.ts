import { createRoute, z } from '@hono/zod-openapi';
import type { ErrorAnswer } from '#shared/contract/provisioning/index.ts';
import { logTailWishSchema, tailedLogSchema } from '#shared/contract/site/index.ts';
import type { FollowedLog, LogTails } from '../../site/index.ts';
import { lackOf, type Right } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { REMOTE_STATUS, remoteFailures } from './remote-status.ts';

const hostParam = domainParam.extend({
  siteId: z.string().meta({ description: 'Site', example: 'north' }),
  hostId: z.string().meta({ description: 'Host', example: 'gw-1' }),
});
const responses = {
  ...answers(tailedLogSchema, 'Events, until either side ends the stream'),
  ...remoteFailures,
};
const { content } = responses[200];
/** In events: how often whoever reads is asked again whether he may. */
const ASKED_AGAIN = 8;

/**
 * `GET /site/{domain}/{siteId}/host/{hostId}/log`: the log of a host as server-sent events, while a person reads. `hangUp` ends
 * the connection of a request.
 */
export const logTailRouter =
  (follow: LogTails, hangUp: (env: unknown) => void) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/{siteId}/host/{hostId}/log',
        tags: ['Hosts'],
        summary: 'Follow the log of a host for at most 15 minutes (server-sent events)',
        middleware: gate.tenant('site', 'lifecycle', 'lifecycle'),
        request: { params: hostParam, query: logTailWishSchema },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      async (c) => {
        const { principal } = c.var;
        const lack = (right: Right) => lackOf(principal, ['site'], [right]);
        const followed = await follow(c.var.call, c.req.valid('param'), c.req.valid('query'), lack, () =>
          hangUp(c.env),
        );
        if (!followed.ok) {
          const { reason, ...error } = followed.error;
          const body: ErrorAnswer = { success: false, reason, error: { ...error } };
          return c.json(body, REMOTE_STATUS[error.code]);
        }
        const stays = () => gate.stays(c, 'site', 'lifecycle');
        return c.body(eventsOf(followed.value, stays), 200, HEADERS);
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

/** The host is asked when the event before was taken: whoever reads slowly asks seldom. */
function eventsOf(log: FollowedLog, stays: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        sent += 1;
        const { event, data } = await log.next();
        const over = event === 'over' || (sent % ASKED_AGAIN === 0 && !(await stays()));
        stream.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        if (!over) return;
        log.close();
        stream.close();
      },
      cancel: () => log.close(),
    },
    { highWaterMark: 0 },
  );
}
