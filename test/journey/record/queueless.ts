import { SiteAgent } from '#appliance/site/host/uplink/site-agent.ts';

/**
 * Words for Node that load this file before the appliance: its control plane has no alarm queue then, as one of an earlier version,
 * and an alarm that no person has accepted is over at its host.
 */
export const queueless: readonly string[] = ['--import', `${import.meta.url}?queueless`];

if (new URL(import.meta.url).search === '?queueless')
  Object.defineProperty(SiteAgent.prototype, 'hasAlarmQueue', { get: () => false });
