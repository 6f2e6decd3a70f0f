/** `Chosen:` an alarm and its callbacks take some 20 KiB; below this the journal fails within seconds of a busy hour. */
const LEAST_FREE_BYTES = 1024 * 1024;

/** The disk of the journal. */
export interface StorageInfo {
  /** The reason of the last commit, if it failed. */
  readonly fault: () => string | undefined;
  /** Room for this program now; undefined: nothing says it. */
  readonly freeBytes: () => number | undefined;
}

/** This machine as a host. */
export interface HostReadiness {
  /** Undefined: it is not enrolled. */
  readonly identity: object | undefined;
  /** A configuration is in force. */
  readonly configured: boolean;
}

/** Why this host cannot serve; empty: it can. A lost WAN is never among the reasons: the site goes on serving. */
export function readinessFaults(
  host: HostReadiness,
  storage: StorageInfo,
  sick: readonly string[],
): readonly string[] {
  const faults: string[] = [];
  if (host.identity === undefined) faults.push('this machine is not enrolled');
  else if (!host.configured) faults.push('the first configuration has not arrived');
  const unwritten = storage.fault();
  if (unwritten !== undefined) faults.push(unwritten);
  const freeBytes = storage.freeBytes();
  if (freeBytes !== undefined && freeBytes < LEAST_FREE_BYTES)
    faults.push(`the disk is full: ${Math.floor(freeBytes / 1024)} KiB are free; free disk space`);
  for (const service of sick) faults.push(`${service} is not well`);
  return faults;
}
