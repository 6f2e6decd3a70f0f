import { canonicalJson } from '#shared/contract/feed/index.ts';
import { CLAIM_TYP, type ClaimFile, claimFileSchema } from '#shared/contract/site/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { signedReader } from './verify-signed.ts';

/**
 * `damaged`: no claim file at all. `altered`: it does not say what its key has signed. `over`: its claim has ended, at the time that
 * `reason` names (ISO 8601).
 */
export type ClaimFileFailure = Failure<'damaged' | 'altered' | 'over'>;

/** Reads a claim file. Whether its key is the control plane's shows at the enrolment (`enrol`, `expected`). */
export async function readClaimFile(
  text: string,
  nowMs: number,
): Promise<Result<ClaimFile, ClaimFileFailure>> {
  const value = json(text);
  if (value === undefined) return fail('damaged', 'no JSON');
  const read = claimFileSchema.safeParse(value);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => [...path, message].join(' '));
    return fail('damaged', faults.join('; '));
  }
  const { signature, ...said } = read.data;
  const signed = await signedReader(() => [said.key])(signature, CLAIM_TYP);
  if (signed === undefined || canonicalJson(signed) !== canonicalJson(said))
    return fail('altered', 'the signature is not over what stands in it');
  if (read.data.expiresAt < nowMs) return fail('over', new Date(read.data.expiresAt).toISOString());
  return ok(read.data);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
