import { readFileSync } from 'node:fs';
import { claimCodeFault, claimCodeFaultText, typedClaimCode } from '#shared/contract/site/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { type EnrolSetting, enrol, readClaimFile } from '../io/edge/index.ts';
import type { EnrolOutcome } from '../site/index.ts';
import { VERSION } from './adapters.ts';
import { namesOf } from './certificate-name.ts';

/** By which leave this machine wants to become a host, and of whom. */
export interface MeantClaim {
  readonly cloud: string;
  readonly code: string;
  readonly hostId: string | undefined;
  /** PEM of the root to pin; undefined: the ones already trusted. */
  readonly ca: string | undefined;
  readonly expected?: EnrolSetting['expected'];
}

/** Reads the claim that a person typed at the page of this machine, or says in one sentence what is wrong with it. */
export function claimTyped(
  typed: { readonly claim: string; readonly cloud?: string | undefined },
  config: ApplianceConfig,
): MeantClaim | string {
  const address = typed.cloud ?? config.cloud;
  if (typed.claim.trim() === '') return 'Type the claim code.';
  const fault = claimCodeFault(typed.claim);
  if (fault !== undefined) return claimCodeFaultText(fault);
  if (address === undefined || !URL.canParse(address))
    return 'Type the address of the control plane: https://…';
  return { cloud: address, code: typedClaimCode(typed.claim), hostId: undefined, ca: undefined };
}

/** Reads a claim file, or says in one sentence why it is not used. */
export async function claimFromFile(
  text: string,
  { siteId: own }: Pick<ApplianceConfig, 'siteId'>,
  nowMs: number,
): Promise<MeantClaim | string> {
  const read = await readClaimFile(text, nowMs);
  if (!read.ok) return UNUSABLE[read.error.code];
  const { cloud, claimCode, hostId, ca, siteId, key } = read.value;
  if (own !== undefined && own !== siteId)
    return `The claim in this file is for the site ${siteId}, and this host is set up for ${own}. Fetch one of that site.`;
  return { cloud, code: claimCode, hostId, ca, expected: { kid: key.kid, siteId } };
}

const UNUSABLE = {
  damaged: 'This is no claim file; fetch it again from the console.',
  altered:
    'This claim file was altered since it was signed. Do not use it; fetch another one from the console.',
  over: 'The claim in this file is over; fetch a new one from the console.',
} as const;

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
  const { cloud, claim, claimFile } = config;
  if (claimFile !== undefined)
    return async () => {
      const meant = await keptFile(claimFile, config);
      return typeof meant === 'string'
        ? { kind: 'refused', reason: `${claimFile}: ${meant}` }
        : await attemptBy(meant, config, trustPem);
    };
  if (cloud === undefined || claim === undefined) return undefined;
  const meant = { cloud, code: claim, hostId: undefined, ca: undefined };
  return () => attemptBy(meant, config, trustPem);
}

async function keptFile(file: string, config: ApplianceConfig): Promise<MeantClaim | string> {
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
  { cloud, code, hostId, ca, expected }: MeantClaim,
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
