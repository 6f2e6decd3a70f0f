import {
  type ClaimFile,
  claimCodeFault,
  claimCodeFaultText,
  typedClaimCode,
} from '#shared/contract/site/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { EnrolOutcome } from './enrolment.ts';
import type { HostIdentity } from './identity.ts';

/** The leave by which this machine wants to become a host, and of which control plane. */
export interface HostClaim {
  readonly cloud: string;
  readonly code: string;
  readonly hostId: string | undefined;
  /** PEM of the root to pin; undefined: the ones already trusted. */
  readonly ca: string | undefined;
  /** The control plane proves that it has the key `kid`, and the site is this one; absent: whichever answers. */
  readonly expected?: { readonly kid: string; readonly siteId: string };
}

/** A claim as a person gives it at the page of this machine. */
export interface TypedClaim {
  readonly claim: string;
  readonly cloud?: string | undefined;
}

/** Reads a claim that was typed, or says in one sentence what is wrong with it. `known`: the control plane that is set. */
export function claimTyped({ claim, cloud }: TypedClaim, known: string | undefined): HostClaim | string {
  const address = cloud ?? known;
  if (claim.trim() === '') return 'Type the claim code.';
  const fault = claimCodeFault(claim);
  if (fault !== undefined) return claimCodeFaultText(fault);
  if (address === undefined || !URL.canParse(address))
    return 'Type the address of the control plane: https://…';
  return { cloud: address, code: typedClaimCode(claim), hostId: undefined, ca: undefined };
}

const UNUSABLE = {
  damaged: 'This is no claim file; fetch it again from the console.',
  altered:
    'This claim file was altered since it was signed. Do not use it; fetch another one from the console.',
  over: 'The claim in this file is over; fetch a new one from the console.',
} as const;

/** The claim of a file, or one sentence why it is not used. `own`: the site that this host is set up for. */
export function claimOfFile(
  read: Result<ClaimFile, Failure<keyof typeof UNUSABLE>>,
  own: string | undefined,
): HostClaim | string {
  if (!read.ok) return UNUSABLE[read.error.code];
  const { cloud, claimCode, hostId, ca, siteId, key } = read.value;
  if (own !== undefined && own !== siteId)
    return `The claim in this file is for the site ${siteId}, and this host is set up for ${own}. Fetch one of that site.`;
  return { cloud, code: claimCode, hostId, ca, expected: { kid: key.kid, siteId } };
}

/** A claim that waits on this machine until the line is up. */
export type KeptClaim =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'code'; readonly claim: HostClaim };

/** The claim that the settings name; undefined: none. A code without a control plane is none. */
export function keptClaim({
  cloud,
  claim,
  claimFile,
}: {
  readonly cloud: string | undefined;
  readonly claim: string | undefined;
  readonly claimFile: string | undefined;
}): KeptClaim | undefined {
  if (claimFile !== undefined) return { kind: 'file', path: claimFile };
  if (cloud === undefined || claim === undefined) return undefined;
  return { kind: 'code', claim: { cloud, code: claim, hostId: undefined, ca: undefined } };
}

/** The end of the attempt of a person at this machine; `wrong`: the claim cannot be used as it was given. */
export interface ClaimAnswer {
  readonly kind: EnrolOutcome['kind'] | 'wrong';
  /** The hostId, or why it is none. */
  readonly reason: string;
}

export interface ClaimPorts {
  /** Undefined: this machine is no host yet. */
  readonly hostId: () => string | undefined;
  readonly attempt: (claim: HostClaim) => Promise<EnrolOutcome>;
  /** From now on this machine is that host. */
  readonly adopt: (identity: HostIdentity) => void;
}

/** Makes this machine a host by the claim of a person. A machine that is one already stays what it is. */
export async function enrolByClaim(
  meant: () => Promise<HostClaim | string>,
  { hostId, attempt, adopt }: ClaimPorts,
): Promise<ClaimAnswer> {
  const own = hostId();
  if (own !== undefined) return { kind: 'enrolled', reason: own };
  const claim = await meant();
  if (typeof claim === 'string') return { kind: 'wrong', reason: claim };
  const outcome = await attempt(claim);
  switch (outcome.kind) {
    case 'enrolled':
      adopt(outcome.identity);
      return { kind: 'enrolled', reason: outcome.identity.hostId };
    case 'waiting':
      return { kind: 'waiting', reason: outcome.hostId };
    default:
      return { kind: outcome.kind, reason: outcome.reason };
  }
}
