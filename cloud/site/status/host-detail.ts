import type { HostSelfTest, Twin } from '#shared/contract/feed/index.ts';
import type { HostDetail } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type HostWithStatus,
  hostByName,
  readHostStatus,
  readOperation,
  readSelfTest,
} from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import { shownOperation } from '../lifecycle/operation.ts';
import type { SitePort } from '../lifecycle/port.ts';
import { conditionsOf } from './condition.ts';
import { shownHost } from './overview.ts';

/** Everything known of one host. */
export function hostDetail({ store, observed, authority }: SitePort) {
  return async (tenant: string, { siteId, hostId }: HostName, nowMs: number): Promise<Result<HostDetail>> => {
    const host = await hostByName(store, tenant, siteId, hostId);
    const row = host === undefined ? undefined : await readHostStatus(store, host.uid);
    if (host === undefined || row === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    const { contact, ...fresh } = observed?.(host.uid) ?? {};
    const status = { ...row, ...fresh };
    const operation =
      host.operation === null ? undefined : await readOperation(store, tenant, host.operation);
    const selfTest = await readSelfTest(store, host.uid);
    const { facts } = status;
    return ok({
      ...shownHost({ host, status }, nowMs),
      uid: host.uid,
      lifecycle: host.lifecycle,
      lifecycleSince: host.lifecycleSince,
      connectivity: status.connectivity,
      connectivitySince: status.since,
      ...(status.lastSeen === null ? {} : { lastSeen: status.lastSeen }),
      conditions: { ...conditionsOf({ host, status }, nowMs) },
      version: facts.sw?.agent ?? host.version,
      ...(host.serial === null ? {} : { serial: host.serial }),
      ...(host.publicKey === '' ? {} : { keyFingerprint: authority.fingerprint(host.publicKey) }),
      labels: [...host.labels],
      ...(host.network === null
        ? {}
        : {
            network: { networkInterfaces: host.network.ifs, networkPrefixLength: host.network.prefix },
          }),
      certificate: {
        ...(host.certExpires === null ? {} : { expiresAt: host.certExpires }),
        generation: host.generation,
      },
      revisions: revisionsOf({ host, status }),
      overrides: status.overrides.map((override) => ({ ...override })),
      measured: { ...facts.m },
      services: { ...facts.svc },
      peers: { ...facts.peers },
      ...(facts.epoch === undefined ? {} : { epoch: facts.epoch }),
      ...(facts.clockSync === undefined ? {} : { clockSynchronised: facts.clockSync }),
      ...(contact === undefined ? {} : { contact }),
      outbox: { ...facts.out },
      ...(facts.calls === undefined ? {} : { calls: facts.calls }),
      roles: [...(facts.roles ?? [])],
      abilities: [...(facts.cap ?? [])],
      ...(operation === undefined ? {} : { operation: shownOperation(operation) }),
      ...(selfTest === undefined ? {} : { selfTest: shownSelfTest(selfTest) }),
    });
  };
}

const shownSelfTest = ({ v: _, points, ...record }: HostSelfTest): NonNullable<HostDetail['selfTest']> => ({
  ...record,
  points: points.map((point) => ({ ...point })),
});

function revisionsOf({ host, status }: HostWithStatus): HostDetail['revisions'] {
  const wanted = (host.twinBody as Partial<Twin> | null)?.cfg;
  const {
    revTenant: tenant,
    revSite: site,
    revHost,
    revPlatform: platform,
    facts,
    nacked,
    refusals,
  } = status;
  return {
    wanted: {
      platform: wanted?.platform.rev ?? 0,
      tenant: wanted?.tenant.rev ?? 0,
      site: wanted?.site.rev ?? 0,
      host: wanted?.host.rev ?? 0,
    },
    applied: { platform, tenant, site, host: revHost },
    ...(facts.good === undefined ? {} : { lastKnownGood: facts.good }),
    ...(facts.kept === undefined ? {} : { kept: { ...facts.kept } }),
    refused: Object.entries(nacked).map(([scope, revision]) => {
      const refusal = refusals[scope];
      return {
        scope,
        revision,
        ...(refusal === undefined ? {} : { at: refusal.at }),
        errors: (refusal?.errors ?? []).map((error) => ({ ...error })),
      };
    }),
  };
}
