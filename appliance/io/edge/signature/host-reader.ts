import type { VerifyKey } from '#shared/contract/site/index.ts';
import type { VerifySigned } from '../../../replica/index.ts';
import { followKeys, kidOf } from './key-chain.ts';
import { signedReader } from './verify-signed.ts';

/** A sender of documents that no known key has signed must not make us ask without end. */
const ASK_AGAIN_MS = 10_000;

/**
 * For a host: its pinned keys, and those that rows of the configuration (`rows`) name now. Chosen: the pinned ones stay good
 * for configuration, because a last known good that comes back has the rows of before, and nothing newer could be read.
 *
 * A host that was away while the key changed, also more than once, knows none of those that sign now. It asks for the key statements
 * (`statements`) and follows them from a key that it knows; what the chain does not lead to stays unread.
 */
export function hostReader(
  { verifyKeys }: { readonly verifyKeys: readonly VerifyKey[] },
  rows: () => readonly VerifyKey[],
  statements: () => Promise<readonly string[]> = async () => [],
  nowMs: () => number = () => performance.now(),
): VerifySigned {
  let followed: readonly VerifyKey[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  const known = (): readonly VerifyKey[] => [...verifyKeys, ...rows(), ...followed];
  const read = signedReader(known);
  return async (compact, typ) => {
    const kid = kidOf(compact);
    const isKnown = known().some((key) => key.kid === kid);
    if (!isKnown && nowMs() - askedMs >= ASK_AGAIN_MS) {
      askedMs = nowMs();
      ({ keys: followed } = await followKeys(known(), await statements()));
    }
    return await read(compact, typ);
  };
}
