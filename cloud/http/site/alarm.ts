import { createRoute, z } from '@hono/zod-openapi';
import {
  doneAnswerSchema,
  listAnswer,
  oneAnswer,
  pageQuerySchema,
} from '#shared/contract/provisioning/index.ts';
import {
  alarmDetailSchema,
  alarmNoteRequestSchema,
  alarmResentSchema,
  siteAlarmSchema,
} from '#shared/contract/site/index.ts';
import type { AlarmQueries } from '../../monitoring/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/site/{domain}/alarm';
const alarmParam = domainParam.extend({ alarmId: z.string().meta({ description: 'Alarm' }) });
const query = pageQuerySchema
  .extend({
    status: siteAlarmSchema.shape.status.optional().meta({ description: 'Only alarms in this state' }),
    siteId: z.string().max(63).optional().meta({ description: 'Only alarms of this site' }),
    hostId: z.string().max(63).optional().meta({ description: 'Only alarms of hosts of this name' }),
    error: z.string().max(64).optional().meta({ description: 'Only alarms of this kind' }),
  })
  .meta({ description: 'Paging and filter' });
const tags = ['Sites'];

/** `/site/{domain}/alarm`: alarms of supervision (control plane, section 2). */
export const siteAlarmRouter =
  (alarms: AlarmQueries) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.use(all.replace('{domain}', ':domain'), packedAnswer());
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
        const wanted = c.req.valid('query');
        return answerPage(c, 'alarms', wanted, (after, limit) =>
          alarms.list(c.var.tenant.id, wanted, after, limit),
        );
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${all}/{alarmId}`,
        tags,
        summary: 'Read an alarm with its deliveries to the tenant',
        middleware: gate.tenant('site', 'reading', 'provisioning'),
        request: { params: alarmParam },
        responses: answers(oneAnswer('alarm', alarmDetailSchema)),
      }),
      async (c) => {
        const result = await alarms.read(c.var.tenant.id, c.req.valid('param').alarmId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, alarm: result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${all}/{alarmId}/resend`,
        tags,
        summary: 'Retry the failed deliveries of an alarm',
        middleware: gate.tenant('site', 'operation', 'lifecycle'),
        request: { params: alarmParam },
        responses: answers(alarmResentSchema),
      }),
      async (c) => {
        const result = await alarms.resend(c.var.call, c.req.valid('param').alarmId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${all}/{alarmId}/note`,
        tags,
        summary: 'Comment on an alarm',
        middleware: gate.tenant('site', 'operation', 'lifecycle'),
        request: { params: alarmParam, body: jsonBody(alarmNoteRequestSchema) },
        responses: answers(doneAnswerSchema),
      }),
      async (c) => {
        const { text } = c.req.valid('json');
        const result = await alarms.note(c.var.call, c.req.valid('param').alarmId, text);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const }, 200);
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
        const result = await alarms.acknowledge(c.var.call, c.req.valid('param').alarmId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const }, 200);
      },
    );

    return router;
  };
