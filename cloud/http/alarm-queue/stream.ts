import { createRoute } from '@hono/zod-openapi';
import { alarmQueueNewsSchema } from '#shared/contract/alarm-queue/index.ts';
import type { QueueStream } from '../../alarm-queue/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { eventsOf, STREAM_HEADERS } from '../routing/event-stream.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

/** Tag of the routes of the queue. */
export const queueTags = ['Alarm queue'];

const responses = answers(alarmQueueNewsSchema, 'Events: alarm, reset');
const { content } = responses[200];

/** `GET /alarmqueue/{domain}/stream`: alarms as they come and change. `hangUp` ends the connection of a request. */
export const alarmQueueStreamRouter =
  (queue: QueueStream, hangUp: (env: unknown) => void) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/alarmqueue/{domain}/stream',
        tags: queueTags,
        summary: 'Follow the alarm queue (server-sent events)',
        description:
          'The event alarm has an alarm as it is now. The event reset comes first, and says that the list is to be read.',
        middleware: gate.tenant('runtime', 'operation', 'list'),
        request: { params: domainParam },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      (c) => {
        const listening = queue.listen(c.var.tenant.id, () => hangUp(c.env));
        if (!listening.ok) {
          c.header('Retry-After', '30');
          return refusal(c, listening.error);
        }
        const stays = () => gate.stays(c, 'runtime', 'operation');
        return c.body(eventsOf(listening.value, stays), 200, STREAM_HEADERS);
      },
    );
    return router;
  };
