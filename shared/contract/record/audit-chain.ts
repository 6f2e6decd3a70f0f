import { canonicalJson } from '../../canonical-json.ts';
import type { AuditEntryShown } from './audit.ts';

/** A place in a chain: the entry of this number has this hash. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/** In front of the first entry. */
export const CHAIN_BEGIN: ChainPlace = { seq: 0, hash: '' };

/** The hash an entry must have. `sha256` of the UTF-8 text, lower-case hex. */
function auditHash(
  tenant: string,
  { hash: _, kid, ...entry }: AuditEntryShown,
  sha256: (text: string) => string,
): string {
  return sha256(canonicalJson({ ...entry, tenant, kid: kid ?? null }));
}

/**
 * Follows the chain from `place` over `entries`, oldest first: the place of the last one, or the number of the first
 * entry that does not fit: changed, removed, or put in.
 */
export function followChain(
  place: ChainPlace,
  tenant: string,
  entries: readonly AuditEntryShown[],
  sha256: (text: string) => string,
): { readonly place: ChainPlace } | { readonly broken: number } {
  let { seq, hash } = place;
  for (const entry of entries) {
    const fits =
      entry.seq === seq + 1 && entry.previous === hash && entry.hash === auditHash(tenant, entry, sha256);
    if (!fits) return { broken: seq + 1 };
    seq = entry.seq;
    hash = entry.hash;
  }
  return { place: { seq, hash } };
}
