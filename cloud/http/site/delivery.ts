import { createRoute } from '@hono/zod-openapi';
import { deliveryAnswerSchema, redeliveredSchema, redeliverySchema } from '#shared/contract/site/index.ts';
import type { Deliveries } from '../../site/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const path = '/delivery/{domain}';
const tags = ['Deliveries'];

/** `/delivery`: callbacks that applications have not accepted, on all hosts of the tenant. */
export const deliveryRouter =
  (deliveries: Deliveries) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.use(path.replace('{domain}', ':domain'), packedAnswer());
    router.openapi(
      createRoute({
        method: 'get',
        path,
        tags,
        summary: 'List the callbacks that wait or were given up, by endpoint',
        description:
          'Asks every host of the tenant; an answer counts for everybody for 5 s, and no longer than until letters are sent again here. The answer names the hosts that did not answer, and those whose release lists dead letters only. ' +
          'Success and latency of each endpoint are figures of the records: GET /record/{domain}/figure.',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: domainParam },
        responses: answers(deliveryAnswerSchema),
      }),
      async (c) => {
        const found = await deliveries.list(c.var.tenant.id, c.var.principal.name);
        return c.json({ success: true as const, ...found }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${path}/redeliver`,
        tags,
        summary: 'Send the dead letters of an endpoint again',
        description:
          'Hosts put them into their outbox again, under their own Idempotency-Key, so that an application that has one already ignores it.',
        middleware: gate.tenant('site', 'operation', 'lifecycle'),
        request: { params: domainParam, body: jsonBody(redeliverySchema) },
        responses: answers(redeliveredSchema),
      }),
      async (c) => {
        const result = await deliveries.redeliver(c.var.call, c.req.valid('json'));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    return router;
  };
