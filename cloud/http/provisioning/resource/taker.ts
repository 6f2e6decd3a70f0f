import { createRoute, z } from '@hono/zod-openapi';
import { provisoryQuerySchema, takerReportSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answers } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import type { AppPort } from '../../routing/port.ts';

const destinationParam = domainParam.extend({
  destination: z.string().min(1).max(512).meta({
    description: 'Destination as a device dials it: user part, SIP or tel URI, number, or account of DC-09',
    example: '+46855510000',
  }),
});

/** `/provisioning/taker`: who takes a destination among all kinds of receivers, with the reasons for and against each. */
export function takerRouter({ provisioning }: AppPort, gate: Gate): Api {
  const router = createRouter();
  router.openapi(
    createRoute({
      method: 'get',
      path: '/provisioning/taker/{domain}/{destination}',
      tags: ['Alarm bridges'],
      summary: 'Show who takes a destination, and the reasons for and against each receiver',
      description:
        'Judges alarm bridges, media services, recording services and cloud SIP user agents by the functions that decide on a host. ' +
        'With provisory=true as if every draft were promoted.',
      middleware: gate.tenant('provisioning', 'reading', 'provisioning'),
      request: { params: destinationParam, query: provisoryQuerySchema },
      responses: answers(takerReportSchema),
    }),
    async (c) => {
      const set = c.req.valid('query').provisory ? 'provisory' : 'working';
      const { destination } = c.req.valid('param');
      const { forms, candidates, cut } = await provisioning.takers(c.var.tenant.id, set, destination);
      return c.json({ success: true as const, forms: [...forms], candidates: [...candidates], cut }, 200);
    },
  );
  return router;
}
