import { z } from 'zod';
import { canonicalJson } from '../feed/index.ts';

export const auditEntrySchema = z
  .strictObject({
    seq: z.number().int().meta({ description: 'Number in the tenant, without gaps' }),
    at: z.number().int().meta({ description: 'Epoch ms' }),
    actor: z.string().meta({ description: 'Actor: person:…, token:…, key:…, host:…' }),
    kid: z.string().optional().meta({ description: 'Key the request was signed with' }),
    address: z.string().meta({ description: 'Source of the request' }),
    requestId: z.string().meta({ description: 'X-Request-Id of the request' }),
    action: z.string().meta({ description: 'create, put, patch, delete, promote, …' }),
    entity: z.string().meta({ description: 'Kind of resource' }),
    entityId: z.string().meta({ description: 'Id of the resource' }),
    detail: z.unknown().meta({ description: 'State before and after the change; secrets are masked' }),
    previous: z.string().meta({ description: 'Hash of the previous entry; empty for the first' }),
    hash: z
      .string()
      .meta({ description: 'SHA-256 over this entry with its tenant and `previous`, RFC 8785' }),
  })
  .meta({ id: 'AuditEntry', description: 'One change, chained to the previous one' });

/** Action of the entry, entity `audit`, that says where the log begins since older entries went. */
export const AUDIT_CUT = 'cut';

export const auditHeadSchema = z
  .strictObject({
    success: z.literal(true),
    seq: z.number().int().meta({ description: 'Number of the newest entry; 0: none' }),
    hash: z.string().meta({ description: 'Hash of that entry' }),
    begin: z
      .strictObject({
        seq: z.number().int().meta({ description: 'Number of the last deleted entry; 0: none' }),
        hash: z.string().meta({ description: 'Hash of that entry; the first entry follows it' }),
      })
      .meta({ description: 'Begin of the log after the retention of older entries' }),
    tenant: z
      .string()
      .meta({ description: 'Id of the tenant, which every hash covers; empty: the platform' }),
  })
  .meta({ id: 'AuditHead', description: 'End of the chain' });

export type AuditEntryShown = z.output<typeof auditEntrySchema>;

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
