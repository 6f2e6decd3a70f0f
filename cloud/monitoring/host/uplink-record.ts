import type { Birth, ConfigReport, Heartbeat } from '#shared/contract/feed/index.ts';
import type { HostFacts, HostStatusRow } from '../../store/index.ts';

/** Applied revisions as columns. */
export type Revisions = Pick<HostStatusRow, 'revTenant' | 'revSite' | 'revHost' | 'revPlatform'>;

export const revisionsOfBirth = ({ cfg }: Birth): Revisions => ({
  revTenant: cfg.tenant,
  revSite: cfg.site,
  revHost: cfg.host,
  revPlatform: cfg.platform,
});

/** The heartbeat names tenant, site, host, platform in this order. */
export const revisionsOfHeartbeat = ({ cfg: [tenant, site, host, platform] }: Heartbeat): Revisions => ({
  revTenant: tenant,
  revSite: site,
  revHost: host,
  revPlatform: platform,
});

const COLUMN = {
  tenant: 'revTenant',
  site: 'revSite',
  host: 'revHost',
  platform: 'revPlatform',
} as const;

export const revisionOfReport = ({ scope, applied }: ConfigReport): Partial<Revisions> => ({
  [COLUMN[scope]]: applied,
});

const keptOf = (revisions: Revisions): NonNullable<HostFacts['kept']> => ({
  platform: revisions.revPlatform,
  tenant: revisions.revTenant,
  site: revisions.revSite,
  host: revisions.revHost,
});

/** A scope has passed the health gate of the host; the other scopes stay what they were, and 0 where nothing was said. */
export const keptIn = (facts: HostFacts, scope: ConfigReport['scope'], rev: number): HostFacts => ({
  ...facts,
  kept: { platform: 0, tenant: 0, site: 0, host: 0, ...facts.kept, [scope]: rev },
});

export const factsOfBirth = (birth: Birth): HostFacts => ({
  roles: birth.roles,
  sw: birth.sw,
  addresses: birth.net?.ifs ?? [],
  cap: birth.cap,
  boot: birth.boot,
  epoch: birth.epoch,
  life: birth.life,
  twinRev: birth.twinRev,
  good: birth.cfg.lkg,
  ...(birth.cfg.lkg ? { kept: keptOf(revisionsOfBirth(birth)) } : {}),
  ...(birth.clk === undefined ? {} : { clockSync: birth.clk.sync }),
});

export function factsOfHeartbeat(before: HostFacts, heartbeat: Heartbeat): HostFacts {
  const { m, svc, out, peers, roles, calls, certDays, ovr } = heartbeat;
  const measured = Object.fromEntries(Object.entries(m).filter(([, value]) => value !== undefined));
  return {
    ...before,
    m: measured as Record<string, number>,
    svc,
    out,
    peers,
    calls,
    overrides: ovr,
    life: heartbeat.life,
    twinRev: heartbeat.twinRev,
    epoch: heartbeat.epoch,
    good: heartbeat.lkg === 1,
    ...(heartbeat.lkg === 1 ? { kept: keptOf(revisionsOfHeartbeat(heartbeat)) } : {}),
    ...(roles === undefined ? {} : { roles }),
    ...(certDays === undefined ? {} : { certDays }),
  };
}
