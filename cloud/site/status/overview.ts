import type { Host, HostStatus, Site } from '#shared/contract/site/index.ts';
import { type HostSummary, hostSummaries, listSites } from '../../store/index.ts';
import { standsAside } from '../lifecycle/host-lifecycle.ts';
import type { SitePort } from '../lifecycle/port.ts';
import { shownSite } from '../lifecycle/site.ts';
import { conditionsOf, distressOf } from './condition.ts';

/** Sites of a tenant that an overview shows; Chosen: beyond it, sites are asked for one by one. */
const SITES_SHOWN = 10_000;

/**
 * Three axes in one word; the first that fits (control plane, section 6). A host that was put back into service takes
 * alarms only when it follows that order: until then it is being commissioned.
 */
function statusOf(row: HostSummary, distress: readonly string[]): HostStatus {
  const { lifecycle } = row.host;
  const { connectivity } = row.status;
  if (lifecycle === 'decommissioned' || lifecycle === 'decommissioning') return 'decommissioned';
  if (lifecycle === 'quarantined' || lifecycle === 'drained' || lifecycle === 'draining') return lifecycle;
  if (lifecycle === 'commissioning' || lifecycle === 'claimed') return 'commissioning';
  if (connectivity === 'offline' || connectivity === 'never') return 'offline';
  if (standsAside(row.status)) return 'commissioning';
  if (connectivity === 'unstable') return 'unstable';
  return connectivity === 'suspect' || distress.length > 0 ? 'degraded' : 'online';
}

/** `role=…`, `svc=…`, `ver=…` as the host says, and the labels it was given. */
function labelsOf({ host, status: { facts } }: HostSummary): string[] {
  return [
    ...(facts.roles ?? []).map((role) => `role=${role}`),
    ...Object.keys(facts.svc ?? {}).map((name) => `svc=${name}`),
    `ver=${facts.sw?.agent ?? host.version}`,
    ...host.labels,
  ];
}

/** A host as lists show it. */
export function shownHost(row: HostSummary, nowMs: number): Host {
  const distress = distressOf(row, conditionsOf(row, nowMs), nowMs);
  return {
    hostName: row.host.hostId,
    hostId: row.host.hostId,
    hostLabels: labelsOf(row),
    status: statusOf(row, distress),
    vendorSpecificDistressString: distress.join(';'),
    siteId: row.host.siteId,
    ...(row.host.siteBaseUrl === null ? {} : { siteBaseUrl: row.host.siteBaseUrl }),
  };
}

/** Hosts of all sites of a tenant in one flat list, and the sites. */
export function overview({ store }: SitePort) {
  return async (
    tenant: string,
    nowMs: number,
  ): Promise<{ site: Host[]; sites: Omit<Site, 'reachable'>[] }> => {
    const sites = await listSites(store, tenant, '', SITES_SHOWN);
    const hosts = await hostSummaries(store, tenant);
    return {
      site: hosts.map((row) => shownHost(row, nowMs)),
      sites: sites.map((row) => {
        const { reachable: _, ...site } = shownSite(row);
        return site;
      }),
    };
  };
}
