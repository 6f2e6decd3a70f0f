/**
 * Alarms that work at a machine causes. All others are reported whatever happens: two machines with one identity, a
 * certificate that ends, a configuration that was refused have other causes, and a person must hear of them.
 */
const CAUSED_BY_WORK: readonly string[] = [
  'noHeartbeatReply',
  'serviceStartFailed',
  'serviceFailure',
  'lowMemory',
  'drainBlocked',
  'clockUnsynchronised',
  'diskPressure',
];

/** A window that holds at the time of the alarm; without `hostId` it is of the whole site. */
export interface CoveringWindow {
  readonly hostId?: string | undefined;
}

/** The hosts of an alarm: one host, or `hosts`, all that a site has lost at once. */
export interface CoveredDetails {
  readonly hostId?: unknown;
  readonly hosts?: unknown;
}

/** Whether windows may cover an alarm with this error at all. */
export const isCausedByWork = (error: string): boolean => CAUSED_BY_WORK.includes(error);

/**
 * Whether a window holds the report of the alarm back now. A whole site that is lost is covered by windows of all its hosts,
 * too.
 */
export function isCoveredBy(
  windows: readonly CoveringWindow[],
  error: string,
  { hostId, hosts }: CoveredDetails,
): boolean {
  if (windows.length === 0 || !isCausedByWork(error)) return false;
  if (windows.some((window) => window.hostId === undefined)) return true;
  const names = new Set(windows.map((window) => window.hostId));
  if (typeof hostId === 'string') return names.has(hostId);
  return Array.isArray(hosts) && hosts.length > 0 && hosts.every((name) => names.has(String(name)));
}
