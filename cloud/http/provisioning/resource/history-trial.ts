import { createRoute, z } from '@hono/zod-openapi';
import {
  bridgeHistoryTrialRequestSchema,
  historyTrialAnswerSchema,
  historyTrialRequestSchema,
} from '#shared/contract/history/index.ts';

import type { HistoryTrials } from '../../../provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answers, jsonBody } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import { refusal } from '../../routing/refusal.ts';

const idParam = domainParam.extend({
  alarmBridgeId: z.string().meta({ description: 'Id of the alarm bridge' }),
});

const DESCRIPTION =
  'Asks every host of the tenant, which tries the draft on the alarms that it has stored. Sums and differences come back: which alarms another receiver would have taken, or none, and which callbacks would have differed. The receivers in service are compared with the same receivers and the draft. ' +
  'Changes nothing, and stands in the audit log. Takes up to a minute.';

/** `tryonhistory`: a draft tried on the alarms of the last days. */
export const historyTrialRouter =
  (trials: HistoryTrials) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.tenant('provisioning', 'provisioning', 'lifecycle');

    router.openapi(
      createRoute({
        method: 'post',
        path: '/provisioning/configuration/{domain}/tryonhistory',
        tags: ['Configuration'],
        summary: 'Try drafts of alarm bridges on the alarms of the last days',
        description: DESCRIPTION,
        middleware,
        request: { params: domainParam, body: jsonBody(historyTrialRequestSchema) },
        responses: answers(historyTrialAnswerSchema),
      }),
      async (c) => {
        const result = await trials.ofSet(c.var.call, c.req.valid('json'));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/tryonhistory',
        tags: ['Alarm bridges'],
        summary: 'Try an alarm bridge on the alarms of the last days',
        description: DESCRIPTION,
        middleware,
        request: { params: idParam, body: jsonBody(bridgeHistoryTrialRequestSchema) },
        responses: answers(historyTrialAnswerSchema),
      }),
      async (c) => {
        const { alarmBridgeId } = c.req.valid('param');
        const result = await trials.ofBridge(c.var.call, alarmBridgeId, c.req.valid('json'));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    return router;
  };
