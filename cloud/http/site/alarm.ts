import { createRoute, z } from '@hono/zod-openapi';
import { doneAnswerSchema, listAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import { siteAlarmSchema } from '#shared/contract/site/index.ts';
import type { AlarmDesk } from '../../monitoring/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { answerPage } from '../list-answer.ts';
import { answers } from '../operation.ts';
import { domainParam } from '../provisioning/param.ts';
import { refusal } from '../refusal.ts';

const all = '/site/{domain}/alarm';
const alarmParam = domainParam.extend({ alarmId: z.string().meta({ description: 'Alarm' }) });
const query = pageQuerySchema
  .extend({
    status: siteAlarmSchema.shape.status.optional().meta({ description: 'Only alarms in this state' }),
  })
  .meta({ description: 'Paging and state' });
const tags = ['Sites'];

/** `/site/{domain}/alarm`: alarms of supervision (control plane, section 2). */
export const siteAlarmRouter =
  (desk: AlarmDesk) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List alarms of supervision',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: domainParam, query },
        responses: answers(listAnswer('alarms', siteAlarmSchema)),
      }),
      (c) => {
        const { status } = c.req.valid('query');
        return answerPage(c, 'alarms', c.req.valid('query'), (after, limit) =>
          desk.list(c.var.tenant.id, status, after, limit),
        );
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${all}/{alarmId}/ack`,
        tags,
        summary: 'Acknowledge an alarm',
        middleware: gate.tenant('site', 'operation', 'lifecycle'),
        request: { params: alarmParam },
        responses: answers(doneAnswerSchema),
      }),
      async (c) => {
        const result = await desk.acknowledge(c.var.call, c.req.valid('param').alarmId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const }, 200);
      },
    );

    return router;
  };
