import { createRoute, z } from '@hono/zod-openapi';
import {
  alarmBridgeRequestSchema,
  alarmBridgeResponseSchema,
  eventMapTrialAnswerSchema,
  eventMapTrialSchema,
  provisoryQuerySchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answers, jsonBody } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import type { AppPort } from '../../routing/port.ts';
import { refusal } from '../../routing/refusal.ts';
import { resourceRoutes } from './resource.ts';
import { testConfigurationRoute } from './test-configuration.ts';

const path = '/provisioning/alarmbridge/{domain}';
const idParam = domainParam.extend({
  alarmBridgeId: z.string().meta({ description: 'Id of the alarm bridge' }),
});
const tags = ['Alarm bridges'];

/** `/provisioning/alarmbridge`: provisioning document 2.1 and 4. */
export function alarmBridgeRouter(port: AppPort, gate: Gate): Api {
  const { alarmBridge, trial } = port.provisioning;
  const router = createRouter();

  testConfigurationRoute(router, gate, port, { path, tags, of: 'alarmBridge' });
  resourceRoutes<'alarmBridge'>(router, gate, {
    core: alarmBridge,
    versions: alarmBridge,
    path,
    idName: 'alarmBridgeId',
    member: 'alarmbridge',
    tags,
    noun: 'an alarm bridge',
    plural: 'alarm bridges',
    request: alarmBridgeRequestSchema,
    response: alarmBridgeResponseSchema,
    hasSets: true,
    hasPatch: true,
  });

  router.openapi(
    createRoute({
      method: 'post',
      path: `${path}/{alarmBridgeId}/trymap`,
      tags,
      summary: 'Run customEventMap on an event',
      middleware: gate.tenant('provisioning', 'reading', 'provisioning'),
      request: { params: idParam, query: provisoryQuerySchema, body: jsonBody(eventMapTrialSchema) },
      responses: answers(eventMapTrialAnswerSchema),
    }),
    async (c) => {
      const set = c.req.valid('query').provisory ? 'provisory' : 'working';
      const { alarmBridgeId } = c.req.valid('param');
      const result = await trial.eventMap(c.var.tenant.id, set, alarmBridgeId, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  return router;
}
