import { createRoute } from '@hono/zod-openapi';
import {
  notificationSettingsRequestSchema,
  notificationSettingsSchema,
  oneAnswer,
  storedAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { answerStored } from '../routing/stored-answer.ts';

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
