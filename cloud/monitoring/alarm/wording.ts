import type { ConfigReport } from '#shared/contract/feed/index.ts';
import type { Cause } from '../presence/presence.ts';
import type { AlarmText } from './alarm-table.ts';

const SILENT: { readonly [C in Cause]: string } = {
  silence: 'is silent: the host is down, or its site has no uplink',
  hostDown: 'is down: another host of the site does not see it either',
  uplinkDown: 'is not reached, and another host of the site sees it: its uplink is down',
  shutdown: 'was shut down',
  poweroff: 'was switched off',
};

/** The text for a silent host; `alone`: no other host of its site is there either. */
export function silentHostText(
  hostId: string,
  cause: Cause,
  alone: boolean,
  lastSeenWallMs: number,
): AlarmText {
  const whole =
    alone && cause === 'silence'
      ? ' No host of the site is reached: its uplink or its power has failed.'
      : '';
  return {
    error: 'noHeartbeatReply',
    service: '',
    severity: alone ? 'critical' : 'major',
    message: `Host ${hostId} ${SILENT[cause]}.${whole}`,
    details: { condition: cause, lastSeen: lastSeenWallMs },
  };
}

/** Whom an alarm of a whole site is about: no host has such a uid. */
export const siteSubject = ({ tenant, siteId }: { readonly tenant: string; readonly siteId: string }) => ({
  tenant,
  siteId,
  uid: `${tenant}/${siteId}`,
});

/** All hosts of a site at once. */
export const siteDownText = (siteId: string, hosts: readonly string[]): AlarmText => ({
  error: 'noHeartbeatReply',
  service: 'site',
  severity: 'critical',
  message: `No host of site ${siteId} is reached (${hosts.join(', ')}): its uplink or its power has failed.`,
  details: { condition: 'site', hosts },
});

export const unstableHostText = (hostId: string): AlarmText => ({
  error: 'noHeartbeatReply',
  service: 'connection',
  severity: 'warning',
  message: `Host ${hostId} loses its connection repeatedly. Further short losses are only counted.`,
  details: { condition: 'unstable' },
});

export const platformText: AlarmText = {
  error: 'noHeartbeatReply',
  service: 'platform',
  severity: 'major',
  message:
    'Many hosts fell silent at once: the control plane does not receive their heartbeats. Sites continue to work by themselves.',
  details: { condition: 'controlPlaneDegraded' },
};

/** One summary for each tenant, filed under its id, since it is about no single host. */
export const platformSubject = (tenant: string) => ({ tenant, siteId: '', uid: tenant });

/** The same for the operator of the deployment. */
export const troubleText = (tenants: readonly string[]): string =>
  `Many hosts of ${tenants.length} tenants fell silent at once. Check the broker and the network to it.`;

export const duplicateHostText = (hostId: string): AlarmText => ({
  error: 'duplicateIdentity',
  service: 'connection',
  severity: 'critical',
  message: `Two machines use the identity of host ${hostId} and interrupt each other's connection. Switch one off, or quarantine the host.`,
  details: { condition: 'takeovers' },
});

/** One for each scope; a newer revision that is refused too is no new alarm. */
export const rejectedRevisionText = (hostId: string, { scope, rev, err }: ConfigReport): AlarmText => ({
  error: 'configRejected',
  service: scope,
  severity: 'major',
  message: `Host ${hostId} refused revision ${rev} of ${scope} and keeps the one before.`,
  details: { revision: rev, errors: err },
});
