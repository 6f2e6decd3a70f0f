import { createRoute, z } from '@hono/zod-openapi';
import { queueWallSchema, wallRequestSchema, wallSchema } from '#shared/contract/alarm-queue/index.ts';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import type { QueueWalls } from '../../alarm-queue/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';
import { queueTags as tags } from './stream.ts';

const all = '/alarmqueue/{domain}/wall';
const wallParam = domainParam.extend({ wallId: z.string().meta({ description: 'Display' }) });
const listSchema = z
  .strictObject({ success: z.literal(true), walls: z.array(wallSchema) })
  .meta({ id: 'AlarmQueueDisplays', description: 'Displays on a wall, without their tokens' });
const addedSchema = z
  .strictObject({
    success: z.literal(true),
    id: z.string().meta({ description: 'Id of the display' }),
    token: z.string().meta({ description: 'Token of the display; it is not shown again' }),
  })
  .meta({ id: 'AlarmQueueDisplayAdded', description: 'The display was added' });

/** `/alarmqueue/{domain}/wall`: displays, and the queue for the bearer of a token of theirs. */
export const alarmQueueWallRouter =
  (walls: QueueWalls, tenantOf: (domain: string) => Promise<{ readonly id: string } | undefined>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List the displays of the alarm queue',
        middleware: gate.tenant('provisioning', 'provisioning', 'list'),
        request: { params: domainParam },
        responses: answers(listSchema),
      }),
      async (c) => c.json({ success: true as const, walls: await walls.list(c.var.tenant.id) }, 200),
    );
    router.openapi(
      createRoute({
        method: 'post',
        path: all,
        tags,
        summary: 'Add a display that shows the alarm queue without personal data',
        middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
        request: { params: domainParam, body: jsonBody(wallRequestSchema) },
        responses: answers(addedSchema),
      }),
      async (c) => {
        const added = await walls.add(c.var.call, c.req.valid('json').name);
        return added.ok ? c.json({ success: true as const, ...added.value }, 200) : refusal(c, added.error);
      },
    );
    router.openapi(
      createRoute({
        method: 'delete',
        path: `${all}/{wallId}` as string,
        tags,
        summary: 'Delete a display; its token opens nothing any more',
        middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
        request: { params: wallParam },
        responses: answers(doneAnswerSchema),
      }),
      async (c) => {
        const { wallId } = c.req.param() as { wallId: string };
        const removed = await walls.remove(c.var.call, wallId);
        return removed.ok ? c.json({ success: true as const }, 200) : refusal(c, removed.error);
      },
    );
    router.openapi(
      createRoute({
        method: 'get',
        path: '/alarmqueue/{domain}/display',
        tags,
        security: [],
        summary: 'Show the alarm queue to a display',
        description:
          'The header Authorization has the token of the display as bearer token. The answer names no device, no person and no place.',
        middleware: gate.open('list'),
        request: { params: domainParam },
        responses: answers(queueWallSchema),
      }),
      async (c) => {
        const [, token] = /^Bearer +([\w-]{1,256})$/.exec(c.req.header('Authorization') ?? '') ?? [];
        const tenant = await tenantOf(c.req.valid('param').domain);
        const seen = await walls.show(tenant?.id, token);
        return seen.ok
          ? c.json({ success: true as const, now: seen.value.now, alarms: [...seen.value.alarms] }, 200)
          : refusal(c, seen.error);
      },
    );
    return router;
  };
