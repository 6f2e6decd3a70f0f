import { createRoute } from '@hono/zod-openapi';
import { recordFilterSchema, recordNewsSchema } from '#shared/contract/session-record/index.ts';
import type { RecordStream } from '../../record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { eventsOf, STREAM_HEADERS } from '../routing/event-stream.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';
import { recordTags, seesNumbers } from './record.ts';

const responses = answers(recordNewsSchema, 'Events, each with a whole record');
const { content } = responses[200];

/** `GET /record/{domain}/stream`: records as they come. `hangUp` ends the connection of a request. */
export const recordStreamRouter =
  (records: RecordStream, hangUp: (env: unknown) => void) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/stream',
        tags: recordTags,
        summary: 'Follow records as they arrive (server-sent events)',
        description: 'The event reset says that records were missed: read the list for them.',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: domainParam, query: recordFilterSchema },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      (c) => {
        const filter = c.req.valid('query');
        const whole = seesNumbers(c);
        if (filter.number !== undefined && !whole)
          return refusal(c, {
            code: 'forbidden',
            reason:
              'The stream is not opened: the caller does not see whole numbers, and must not search for them. Use a token of an operator.',
          });
        const listening = records.listen(c.var.tenant.id, {
          ...{ filter, whole, again: c.req.header('Last-Event-ID') !== undefined },
          onFrozen: () => hangUp(c.env),
        });
        if (!listening.ok) {
          c.header('Retry-After', '30');
          return refusal(c, listening.error);
        }
        const stays = () => gate.stays(c, 'provisioning', whole ? 'operation' : 'reading');
        return c.body(eventsOf(listening.value, stays), 200, STREAM_HEADERS);
      },
    );
    return router;
  };
