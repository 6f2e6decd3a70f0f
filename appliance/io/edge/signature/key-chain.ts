import { decodeProtectedHeader } from 'jose';
import { KEY_TYP } from '#shared/contract/feed/index.ts';
import { keyStatementSchema, type VerifyKey } from '#shared/contract/site/index.ts';
import { signedReader } from './verify-signed.ts';

/** Keys that may be believed, and which of them came in the place of which. */
export interface FollowedKeys {
  readonly keys: readonly VerifyKey[];
  /** `kid` of the key before, by that of the one after. */
  readonly before: ReadonlyMap<string, string>;
}

/**
 * Follows the changes of the signing key from those that are `known`. A statement counts when one of them has signed it, and says
 * itself whose place the new key takes; what cannot be read, or is signed by anybody else, is passed over.
 *
 *     known A ── statement A→B by A ──▶ A, B ── statement B→C by B ──▶ A, B, C
 */
export async function followKeys(
  known: readonly VerifyKey[],
  chain: readonly string[],
): Promise<FollowedKeys> {
  let keys = known;
  const before = new Map<string, string>();
  for (const compact of chain) {
    const { data } = keyStatementSchema.safeParse(await signedReader(() => keys)(compact, KEY_TYP));
    if (data === undefined || kidOf(compact) !== data.after || before.has(data.key.kid)) continue;
    before.set(data.key.kid, data.after);
    if (!keys.some(({ kid }) => kid === data.key.kid)) keys = [...keys, data.key];
  }
  return { keys, before };
}

/**
 * The keys that are trusted from now on, after a document by the key `kid` was: none of those before it. Were they good for
 * ever, a key that came into other hands could not be changed away.
 */
export function keysFrom({ keys, before }: FollowedKeys, kid: string | undefined): readonly VerifyKey[] {
  const past = new Set<string>();
  for (let at = before.get(kid ?? ''); at !== undefined && !past.has(at); at = before.get(at)) past.add(at);
  return keys.filter((key) => key.kid === kid || !past.has(key.kid));
}

/** The id of the key that a compact JWS names as its signer. */
export function kidOf(compact: string): string | undefined {
  try {
    return decodeProtectedHeader(compact).kid;
  } catch {
    return undefined;
  }
}
