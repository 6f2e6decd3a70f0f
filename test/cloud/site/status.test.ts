import { describe, expect, it } from 'vitest';
import { shownHost } from '#cloud/site/status/overview.ts';
import type { Connectivity, HostFacts, HostWithStatus, Lifecycle } from '#cloud/store/index.ts';
import type { HostStatus } from '#shared/contract/site/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';

/* Intent, connectivity and conditions in one word: the first that fits (control plane, section 6), in every combination. */

/** States that intent alone decides; `observed`: the other axes do. Rejected hosts are not listed. */
const BY_INTENT: { readonly [L in Exclude<Lifecycle, 'rejected'>]: HostStatus | 'observed' } = {
  claimed: 'commissioning',
  commissioning: 'commissioning',
  active: 'observed',
  draining: 'draining',
  drained: 'drained',
  decommissioning: 'decommissioned',
  decommissioned: 'decommissioned',
  quarantined: 'quarantined',
};

/** Well, and with a bad condition. */
const BY_CONTACT: { readonly [C in Connectivity]: readonly [HostStatus, HostStatus] } = {
  never: ['offline', 'offline'],
  offline: ['offline', 'offline'],
  unstable: ['unstable', 'unstable'],
  suspect: ['degraded', 'degraded'],
  online: ['online', 'degraded'],
};

const CONDITIONS: readonly (readonly [string, HostFacts, string])[] = [
  ['all is well', {}, ''],
  ['its disk is nearly full', { m: { diskPct: 85 } }, 'DiskPressure'],
];

const hostOf = (lifecycle: Lifecycle, connectivity: Connectivity, facts: HostFacts): HostWithStatus =>
  ({
    host: { ...HOST_ROW, hostId: 'box-1', siteId: 'north', lifecycle },
    status: { connectivity, facts, nacked: {}, refusals: {}, overrides: [], conditions: {} },
  }) as unknown as HostWithStatus;

const cells = Object.entries(BY_INTENT).flatMap(([lifecycle, word]) =>
  Object.entries(BY_CONTACT).flatMap(([connectivity, words]) =>
    CONDITIONS.map(([how, facts, distress], bad) => ({
      lifecycle: lifecycle as Lifecycle,
      connectivity: connectivity as Connectivity,
      how,
      facts,
      distress,
      status: word === 'observed' ? words[bad] : word,
    })),
  ),
);

describe('the status of a host', () => {
  it.each([
    ['active', 'online', 'draining', 'commissioning'],
    ['active', 'online', 'drained', 'commissioning'],
    ['active', 'suspect', 'drained', 'commissioning'],
    ['active', 'offline', 'drained', 'offline'],
    ['active', 'online', 'active', 'online'],
    // Its first configuration is in force: it takes alarms.
    ['active', 'online', 'commissioning', 'online'],
    ['draining', 'online', 'active', 'draining'],
  ] as const)('intent %s, %s, the host follows %s: %s', (lifecycle, connectivity, life, status) => {
    expect(shownHost(hostOf(lifecycle, connectivity, { life }), 1_000).status).toBe(status);
  });
  it('is walked in every combination of the three axes', () => {
    expect(cells).toHaveLength(8 * 5 * 2);
  });
  it.each(cells)(
    '$lifecycle, $connectivity, $how: $status',
    ({ lifecycle, connectivity, facts, distress, status }) => {
      const shown = shownHost(hostOf(lifecycle, connectivity, facts), 1_000);
      expect(shown.status).toBe(status);
      if (distress !== '') expect(shown.vendorSpecificDistressString).toContain(distress);
    },
  );
});
