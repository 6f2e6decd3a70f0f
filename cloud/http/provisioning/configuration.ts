import { createRoute, z } from '@hono/zod-openapi';
import {
  alarmBridgeResponseSchema,
  deviceResponseSchema,
  notificationSettingsSchema,
  provisoryQuerySchema,
} from '#shared/contract/provisioning/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { answers, jsonBody } from '../operation.ts';
import type { AppPort } from '../port.ts';
import { refusal } from '../refusal.ts';
import { domainParam } from './param.ts';

const path = '/provisioning/configuration/{domain}';
const tags = ['Configuration'];

const configurationAnswerSchema = z.strictObject({
  success: z.literal(true),
  configuration: z
    .strictObject({
      alarmbridges: z.array(alarmBridgeResponseSchema),
      devices: z.array(deviceResponseSchema).optional(),
      notificationsettings: notificationSettingsSchema.optional(),
    })
    .meta({ id: 'Configuration', description: 'Everything provisioned in the tenant; secrets masked' }),
});

const promotionSchema = z
  .strictObject({
    alarmbridges: z
      .array(z.string())
      .max(1000)
      .optional()
      .meta({ description: 'Ids of provisory alarm bridges; absent: all of them' }),
  })
  .meta({ id: 'Promotion', description: 'What moves from the provisory into the working set', example: {} });

const promotedSchema = z
  .strictObject({
    success: z.literal(true),
    alarmbridges: z.array(z.string()).meta({ description: 'Ids now in the working set' }),
  })
  .meta({ id: 'Promoted', description: 'Moved, as one revision' });

/** `/provisioning/configuration`: the tenant as a whole. */
export function configurationRouter({ provisioning }: AppPort, gate: Gate): Api {
  const { configuration } = provisioning;
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Read everything that is provisioned',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: domainParam, query: provisoryQuerySchema },
      responses: answers(configurationAnswerSchema),
    }),
    async (c) => {
      const set = c.req.valid('query').provisory ? 'provisory' : 'working';
      const whole = await configuration.read(c.var.tenant.id, set);
      return c.json({ success: true as const, configuration: whole }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${path}/promote`,
      tags,
      summary: 'Move provisory rows into the working set, as one revision',
      middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
      request: { params: domainParam, body: { ...jsonBody(promotionSchema), required: false } },
      responses: answers(promotedSchema),
    }),
    async (c) => {
      const result = await configuration.promote(c.var.call, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  return router;
}
