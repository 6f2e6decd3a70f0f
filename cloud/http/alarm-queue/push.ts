import { createRoute, z } from '@hono/zod-openapi';
import { pushRequestSchema, pushStateSchema } from '#shared/contract/alarm-queue/index.ts';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { ok } from '#shared/result.ts';
import type { QueuePush } from '../../alarm-queue/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { answerPerson } from './person-request.ts';
import { queueTags as tags } from './stream.ts';

const all = '/alarmqueue/{domain}/push';
const browserParam = domainParam.extend({
  browserId: z.string().meta({ description: 'Browser, by the id of the list' }),
});

/** `/alarmqueue/{domain}/push`: own browsers of a person that are woken when an alarm waits. */
export const alarmQueuePushRouter =
  (push: QueuePush) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List own browsers that are woken when an alarm waits',
        middleware: gate.tenant('runtime', 'operation', 'list'),
        request: { params: domainParam },
        responses: answers(pushStateSchema),
      }),
      (c) =>
        answerPerson(
          c,
          async ({ call, personId }) => ok(await push.list(call.tenant, personId)),
          (browsers) => {
            const { publicKey } = push;
            const key = publicKey === undefined ? {} : { publicKey };
            return c.json({ success: true as const, ...key, browsers: [...browsers] }, 200);
          },
        ),
    );
    router.openapi(
      createRoute({
        method: 'post',
        path: all,
        tags,
        summary: 'Add an own browser that is woken when an alarm waits',
        description:
          'The message says that an alarm waits, and names no person, no device and no place. It never counts as notified: the alarm goes on as without it.',
        middleware: gate.tenant('runtime', 'operation', 'runtime'),
        request: { params: domainParam, body: jsonBody(pushRequestSchema) },
        responses: answers(doneAnswerSchema),
      }),
      (c) =>
        answerPerson(
          c,
          ({ call, personId }) => push.subscribe(call, personId, c.req.valid('json')),
          () => c.json({ success: true as const }, 200),
        ),
    );
    router.openapi(
      createRoute({
        method: 'delete',
        path: `${all}/{browserId}` as string,
        tags,
        summary: 'Remove an own browser; it is not woken any more',
        middleware: gate.tenant('runtime', 'operation', 'runtime'),
        request: { params: browserParam },
        responses: answers(doneAnswerSchema),
      }),
      (c) => {
        const { browserId } = c.req.param() as { browserId: string };
        return answerPerson(
          c,
          ({ call, personId }) => push.remove(call, personId, browserId),
          () => c.json({ success: true as const }, 200),
        );
      },
    );
    return router;
  };
