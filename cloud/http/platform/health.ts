import type { RequestMetric } from '../middleware/request-metric.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import type { AppPort } from '../routing/port.ts';

/** `/healthz`, `/readyz`, `/metrics`: operations contract, "Health". No part of the described API. */
export function healthRouter(port: AppPort, gate: Gate, requests: RequestMetric): Api {
  const router = createRouter();

  router.get('/healthz', (c) => c.json({ success: true }));

  router.get('/readyz', async (c) => {
    const reasons = (
      await Promise.all([database(port), ...(port.readiness ?? []).map((ask) => ask())])
    ).filter((reason) => reason !== null);
    return reasons.length === 0
      ? c.json({ success: true })
      : c.json({ success: false, reason: reasons.join('; '), error: { code: 'notReady', reasons } }, 503);
  });

  const metrics = async (): Promise<string> =>
    [requests.text(), ...(await Promise.all((port.metrics ?? []).map((source) => source())))].join('');
  const text = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
  if (port.listenerOnLoopback) router.get('/metrics', async (c) => c.body(await metrics(), 200, text));
  else router.get('/metrics', gate.platform('list'), async (c) => c.body(await metrics(), 200, text));

  return router;
}

async function database({ tenancy }: AppPort): Promise<string | null> {
  try {
    await tenancy.tenant.list('', 1);
    return null;
  } catch (error) {
    return `the database does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}
