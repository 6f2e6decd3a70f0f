import { createRoute, z } from '@hono/zod-openapi';
import { testConfigurationAnswerSchema } from '#shared/contract/provisioning/index.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answers } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import type { AppPort } from '../../routing/port.ts';
import { refusal } from '../../routing/refusal.ts';

const destinationParam = domainParam.extend({
  destination: z.string().meta({
    description: 'Destination as a device dials it: user part, SIP or tel URI, number, or account of DC-09',
    example: 'scaip',
  }),
});

/** `…/testconfiguration/{destination}`: what the appliance would decide now. */
export function testConfigurationRoute(
  router: Api,
  gate: Gate,
  { provisioning }: AppPort,
  given: {
    readonly path: `/${string}/{domain}`;
    readonly tags: string[];
    readonly of: 'alarmBridge' | 'cloudSipUa';
  },
): void {
  router.openapi(
    createRoute({
      method: 'get',
      path: `${given.path}/testconfiguration/{destination}` as string,
      tags: given.tags,
      summary: 'Show the receivers of a destination and those that they shadow',
      middleware: gate.tenant('provisioning', 'reading', 'provisioning'),
      request: { params: destinationParam },
      responses: answers(testConfigurationAnswerSchema),
    }),
    async (c) => {
      const { destination } = c.req.valid('param');
      const result = await provisioning.trial.receiver(c.var.tenant.id, given.of, destination);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );
}
