import type { RevisionHost } from '#shared/contract/site/index.ts';
import { hostsOf } from '../../store/index.ts';
import type { SitePort } from '../lifecycle/port.ts';

/** Hosts that take calls and alarms; others have no configuration that anybody waits for. */
const SERVING = new Set(['active', 'draining']);

/** Whether the hosts of a tenant have a revision of its configuration in force. */
export function revisionReach({ store, observed }: SitePort) {
  return async (tenant: string, revision: number): Promise<readonly RevisionHost[]> =>
    (await hostsOf(store, tenant))
      .filter(({ host }) => SERVING.has(host.lifecycle))
      .map(({ host: { siteId, hostId, uid }, status }) => {
        const applied = { ...status, ...observed?.(uid) }.revTenant;
        return { siteId, hostId, applied, reached: applied >= revision };
      });
}
