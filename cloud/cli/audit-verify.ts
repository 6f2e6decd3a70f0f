import { createHash } from 'node:crypto';
import {
  type AuditEntryShown,
  CHAIN_BEGIN,
  type ChainPlace,
  followChain,
} from '#shared/contract/record/index.ts';
import { type Access, type Answer, get } from './ask.ts';

export interface AuditRun extends Access {
  /** Tenant; undefined = the platform's own log. */
  readonly domain: string | undefined;
  /** A head that was kept elsewhere: it must still stand in the chain. */
  readonly kept: ChainPlace | undefined;
}

export type AuditVerdict =
  | { readonly kind: 'whole'; readonly head: ChainPlace }
  /** `seq`: the first entry that does not fit. */
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }
  | Exclude<Answer, { kind: 'answered' }>;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Follows the chain from its first entry to the head the cloud names (control plane, section 12). */
export async function verifyAudit(run: AuditRun): Promise<AuditVerdict> {
  const path =
    run.domain === undefined ? '/platform/audit' : `/provisioning/audit/${encodeURIComponent(run.domain)}`;
  const head = await get(run, `${path}/head`);
  if (head.kind !== 'answered') return head;
  const { seq, hash, tenant } = head.body as unknown as ChainPlace & { tenant: string };
  let place = CHAIN_BEGIN;
  let nextToken: string | undefined;
  do {
    const page = await get(run, `${path}${nextToken === undefined ? '' : `?nextToken=${nextToken}`}`);
    if (page.kind !== 'answered') return page;
    const entries = page.body.entries as AuditEntryShown[];
    nextToken = page.body.nextToken as string | undefined;
    const followed = followChain(place, tenant, entries, sha256);
    if ('broken' in followed) return broken(followed.broken, 'was changed, removed or put in');
    const changed = [{ seq, hash }, run.kept].find(
      (known) =>
        known !== undefined && entries.some((entry) => entry.seq === known.seq && entry.hash !== known.hash),
    );
    if (changed !== undefined) return broken(changed.seq, 'is not the one that the head names');
    ({ place } = followed);
  } while (nextToken !== undefined);
  // The log may have grown since its head was read; it may not be shorter.
  const end = Math.max(seq, run.kept?.seq ?? 0);
  return place.seq < end
    ? broken(place.seq + 1, 'is missing: the end was cut off')
    : { kind: 'whole', head: place };
}

const broken = (seq: number, what: string): AuditVerdict => ({
  kind: 'broken',
  seq,
  reason: `Entry ${seq} ${what}.`,
});
