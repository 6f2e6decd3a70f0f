import type { HostIdentity } from '../site/index.ts';
import { handshake } from './network-probe.ts';
import { bad, good, type Outcome, skipped } from './record.ts';
import type { RunningProbes } from './running.ts';

/**
 * A message of ours, published and heard back. It is the running appliance that says it: a second session under the name of
 * this host would end the first. Why there is none is asked of the broker.
 */
export async function brokerProbe(
  identity: HostIdentity | undefined,
  running: Pick<RunningProbes, 'echo'> | undefined,
): Promise<Outcome> {
  if (identity === undefined) return skipped('notEnrolled');
  const brokers = [...new Set([...(identity.brokerUrls ?? []), identity.brokerUrl])];
  const where = brokers.map((url) => new URL(url).host).join(' or ');
  const silent = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));
  const echo = await running?.echo().catch(silent);
  if (echo === undefined || echo instanceof Error) {
    return bad('service.silent', `${where} was not tried: ${echo?.message ?? 'the service was not asked'}`);
  }
  switch (echo.kind) {
    case 'heard':
      return good(`${where}, published and heard back in ${echo.ms.toFixed(echo.ms < 10 ? 1 : 0)} ms`);
    case 'notDelivered':
      return bad(
        'mqtt.notDelivered',
        `${where}: published, not heard within ${Math.round(echo.waitedMs)} ms`,
      );
    case 'notEnrolled':
      return bad('mqtt.notConnected', `${where}: the service runs as not enrolled`);
    case 'notConnected': {
      const tried = await Promise.all(brokers.map((url) => handshake(url, identity)));
      const [shut] = tried;
      if (shut !== undefined && !tried.includes(undefined)) return bad(`mqtt.${shut.kind}`, shut.reason);
      return bad('mqtt.notConnected', `${where}: answers, and the service has no session`);
    }
  }
}
