import { createRoute } from '@hono/zod-openapi';
import { siteNewsSchema } from '#shared/contract/site/index.ts';
import type { SiteChanges } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { eventsOf, STREAM_HEADERS } from '../routing/event-stream.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

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
        return c.body(eventsOf(listening.value, stays), 200, STREAM_HEADERS);
      },
    );
    return router;
  };
