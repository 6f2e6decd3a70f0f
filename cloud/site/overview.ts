import type { Host, HostStatus, Site } from '#shared/contract/site/index.ts';
import { type HostWithStatus, hostsOf, listSites } from '../store/index.ts';
import type { SitePort } from './port.ts';
import { shownSite } from './site.ts';

/** Sites of a tenant that an overview shows; Chosen: beyond it, sites are asked for one by one. */
const SITES_SHOWN = 10_000;

const DISK_FULL_PERCENT = 80;
const MEMORY_FREE_PERCENT = 10;

/** Conditions that are bad now, as short words. */
function distress({ host, status }: HostWithStatus): string[] {
  const { facts } = status;
  const words: string[] = [];
  const { diskPct, memPct } = facts.m ?? {};
  if (diskPct !== undefined && diskPct >= DISK_FULL_PERCENT) words.push('DiskPressure');
  if (memPct !== undefined && memPct < MEMORY_FREE_PERCENT) words.push('MemoryPressure');
  for (const [name, state] of Object.entries(facts.svc ?? {})) {
    if (state !== 'ok') words.push(`ServiceNotReady:${name}`);
  }
  for (const [scope, rev] of Object.entries(status.nacked)) words.push(`CfgRejected:${scope}:${rev}`);
  if (host.lifecycle === 'draining') words.push('Draining');
  return words;
}

/** Three axes in one word; the first that fits (control plane, section 6). */
function statusOf(row: HostWithStatus): HostStatus {
  const { lifecycle } = row.host;
  const { connectivity } = row.status;
  if (lifecycle === 'decommissioned' || lifecycle === 'decommissioning') return 'decommissioned';
  if (lifecycle === 'quarantined' || lifecycle === 'drained' || lifecycle === 'draining') return lifecycle;
  if (lifecycle === 'commissioning' || lifecycle === 'claimed') return 'commissioning';
  if (connectivity === 'offline' || connectivity === 'never') return 'offline';
  if (connectivity === 'unstable') return 'unstable';
  return connectivity === 'suspect' || distress(row).length > 0 ? 'degraded' : 'online';
}

/** `role=…`, `svc=…`, `ver=…` as the host says, and the labels it was given. */
function labelsOf({ host, status: { facts } }: HostWithStatus): string[] {
  return [
    ...(facts.roles ?? []).map((role) => `role=${role}`),
    ...Object.keys(facts.svc ?? {}).map((name) => `svc=${name}`),
    `ver=${facts.sw?.agent ?? host.version}`,
    ...host.labels,
  ];
}

const shownHost = (row: HostWithStatus): Host => ({
  hostName: row.host.hostId,
  hostId: row.host.hostId,
  hostLabels: labelsOf(row),
  status: statusOf(row),
  vendorSpecificDistressString: distress(row).join(';'),
  siteId: row.host.siteId,
  ...(row.host.siteBaseUrl === null ? {} : { siteBaseUrl: row.host.siteBaseUrl }),
});

/** Hosts of all sites of a tenant in one flat list, and the sites. */
export function overview({ store }: SitePort) {
  return async (tenant: string): Promise<{ site: Host[]; sites: Omit<Site, 'reachable'>[] }> => {
    const sites = await listSites(store, tenant, '', SITES_SHOWN);
    const hosts = await hostsOf(store, tenant);
    return {
      site: hosts.map(shownHost),
      sites: sites.map((row) => {
        const { reachable: _, ...site } = shownSite(row);
        return site;
      }),
    };
  };
}
