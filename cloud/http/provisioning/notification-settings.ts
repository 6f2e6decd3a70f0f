import { createRoute } from '@hono/zod-openapi';
import {
  notificationSettingsRequestSchema,
  notificationSettingsSchema,
  oneAnswer,
  storedAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { answers, jsonBody } from '../operation.ts';
import type { AppPort } from '../port.ts';
import { answerStored } from '../stored-answer.ts';
import { domainParam } from './param.ts';

const path = '/provisioning/notificationsettings/{domain}';
const tags = ['Notification settings'];

/** `/provisioning/notificationsettings`: one document per tenant. */
export function notificationSettingsRouter({ provisioning }: AppPort, gate: Gate): Api {
  const { notificationSettings } = provisioning;
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Read the notification settings',
      middleware: gate.tenant('provisioning', 'reading', 'provisioning'),
      request: { params: domainParam },
      responses: answers(oneAnswer('notificationsettings', notificationSettingsSchema)),
    }),
    async (c) => {
      const { value, etag } = await notificationSettings.read(c.var.tenant.id);
      c.header('ETag', etag);
      return c.json({ success: true as const, notificationsettings: value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path,
      tags,
      summary: 'Replace the notification settings',
      middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
      request: { params: domainParam, body: jsonBody(notificationSettingsRequestSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) => answerStored(c, await notificationSettings.put(c.var.call, c.req.valid('json'))),
  );

  return router;
}
