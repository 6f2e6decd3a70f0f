import { createRoute } from '@hono/zod-openapi';
import { listAnswer, oneAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import {
  brokerViewSchema,
  type PlatformTrouble,
  platformTroubleSchema,
  type ReplicaShown,
  replicaViewSchema,
} from '#shared/contract/site/index.ts';
import type { BrokerChecks } from '../../monitoring/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';

const tags = ['Platform'];
const shown = answers(oneAnswer('broker', brokerViewSchema));

/** `/platform/broker`, `/platform/alarm`, `/platform/replica`: the deployment as its operator sees it (control plane, section 2). */
export const deploymentRouter =
  (
    broker: BrokerChecks,
    platformAlarms: { readonly list: () => Promise<readonly PlatformTrouble[]> | readonly PlatformTrouble[] },
    replicas: () => Promise<readonly ReplicaShown[]>,
  ) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'get',
        path: '/platform/broker',
        tags,
        summary: 'Read the broker of the deployment and the results of its check',
        middleware: gate.platform('list'),
        responses: shown,
      }),
      async (c) => c.json({ success: true as const, broker: await broker.view() }, 200),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: '/platform/broker/check',
        tags,
        summary: 'Check the broker again',
        middleware: gate.platform('lifecycle'),
        responses: shown,
      }),
      async (c) => c.json({ success: true as const, broker: await broker.check() }, 200),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/platform/alarm',
        tags,
        summary: 'List alarms of the deployment itself, newest first',
        middleware: gate.platform('list'),
        request: { query: pageQuerySchema },
        responses: answers(listAnswer('alarms', platformTroubleSchema)),
      }),
      (c) =>
        answerPage(c, 'alarms', c.req.valid('query'), async (after, limit) => {
          const all = await platformAlarms.list();
          const from = after === '' ? 0 : all.findIndex(({ alarmId }) => alarmId === after) + 1;
          const items = all.slice(from, from + limit);
          return { items, next: from + limit < all.length ? items.at(-1)?.alarmId : undefined };
        }),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/platform/replica',
        tags,
        summary: 'List the processes of the control plane with their shards',
        middleware: gate.platform('list'),
        request: { query: pageQuerySchema },
        responses: answers(listAnswer('replicas', replicaViewSchema)),
      }),
      (c) =>
        answerPage(c, 'replicas', c.req.valid('query'), async (after, limit) => {
          const all = await replicas();
          const from = after === '' ? 0 : all.findIndex(({ id }) => id === after) + 1;
          const items = all.slice(from, from + limit);
          return { items, next: from + limit < all.length ? items.at(-1)?.id : undefined };
        }),
    );

    return router;
  };
