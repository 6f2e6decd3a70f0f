import { readFileSync } from 'node:fs';
import type { ApplianceConfig } from '../config.ts';
import { enrol, readClaimFile } from '../io/edge/index.ts';
import { claimOfFile, type EnrolOutcome, type HostClaim, keptClaim } from '../site/index.ts';
import { VERSION } from './adapters.ts';
import { namesOf } from './certificate-name.ts';

/** Reads a claim file, or says in one sentence why it is not used. */
export const claimFromFile = async (
  text: string,
  { siteId }: Pick<ApplianceConfig, 'siteId'>,
  nowMs: number,
): Promise<HostClaim | string> => claimOfFile(await readClaimFile(text, nowMs), siteId);

/**
 * One attempt by the claim that this machine keeps until the line is up; undefined: it keeps none. Each attempt reads the file
 * again, and only a control plane that has its key makes this machine a host: a program that took the place of ours while the
 * line was down gets nowhere. Whether the claim is over, the control plane says: a machine that it knows already may come
 * later.
 */
export function keptClaimAttempt(
  config: ApplianceConfig,
  trustPem: string | undefined,
): (() => Promise<EnrolOutcome>) | undefined {
  const kept = keptClaim(config);
  if (kept === undefined) return undefined;
  if (kept.kind === 'code') return () => attemptBy(kept.claim, config, trustPem);
  return async () => {
    const meant = await keptFile(kept.path, config);
    return typeof meant === 'string'
      ? { kind: 'refused', reason: `${kept.path}: ${meant}` }
      : await attemptBy(meant, config, trustPem);
  };
}

async function keptFile(file: string, config: ApplianceConfig): Promise<HostClaim | string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return `The claim file cannot be read (${why}); give it again: carillon enrol --file FILE.`;
  }
  return await claimFromFile(text, config, 0);
}

/** One attempt. `trustPem` is what is trusted where the claim pins nothing. */
export const attemptBy = (
  { cloud, code, hostId, ca, expected }: HostClaim,
  config: ApplianceConfig,
  trustPem: string | undefined,
): Promise<EnrolOutcome> =>
  enrol({
    folder: config.data,
    cloud,
    claimCode: code,
    hostId: hostId ?? config.hostId,
    names: namesOf({ ...config, hostId: hostId ?? config.hostId }).asked,
    version: VERSION,
    siteBaseUrl: config.siteBaseUrl,
    expected,
    trustPem: ca ?? trustPem,
  });
