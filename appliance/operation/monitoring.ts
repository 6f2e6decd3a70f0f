/** Only programs of this machine reach a listener at these addresses. */
const isLocalOnly = (hosts: readonly string[]): boolean =>
  hosts.every((host) => /^(?:127\.|::1$|localhost$)/.test(host));

export interface MonitoringPorts {
  /** Addresses that the listener of `/metrics` is bound to. */
  readonly hosts: readonly string[];
  /** The key by which programs of this machine ask. */
  readonly isLocalKey: (key: string | undefined) => boolean;
  /** A token of the tenant lets its bearer in. */
  readonly admits: (authorization: string | undefined) => Promise<boolean>;
}

/**
 * The access check of `/metrics` (operations contract, "Health"): everybody may read where only this machine reaches the
 * listener, hence undefined; else programs of this machine by their key, and clients with a token of the tenant. Decided with
 * and without WAN.
 */
export function monitoringAccess({
  hosts,
  isLocalKey,
  admits,
}: MonitoringPorts): ((authorization: string | undefined) => Promise<boolean>) | undefined {
  if (isLocalOnly(hosts)) return undefined;
  return async (authorization) =>
    isLocalKey(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1]) || (await admits(authorization));
}
