import { createHash } from 'node:crypto';
import {
  AUDIT_CUT,
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
  /** `begin`: the last removed entry, of a log whose oldest entries were kept for their time. */
  | { readonly kind: 'whole'; readonly head: ChainPlace; readonly begin?: ChainPlace }
  /** `seq`: the first entry that does not fit. */
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }
  | Exclude<Answer, { kind: 'answered' }>;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Follows the chain from its first entry to the head the cloud names (control plane, section 12). Where older entries were
 * removed, it begins behind the place that the cloud names, and one of the entries that are left must name the same: a person
 * who cuts the log elsewhere has to write the rest of it again.
 */
export async function verifyAudit(run: AuditRun): Promise<AuditVerdict> {
  const path =
    run.domain === undefined ? '/platform/audit' : `/provisioning/audit/${encodeURIComponent(run.domain)}`;
  const head = await get(run, `${path}/head`);
  if (head.kind !== 'answered') return head;
  const { seq, hash, tenant, begin = CHAIN_BEGIN } = head.body as unknown as Head;
  let place = begin;
  let cutIsNamed = begin.seq === 0;
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
    cutIsNamed ||= entries.some((entry) => isCutAt(entry, begin));
  } while (nextToken !== undefined);
  // The log may have grown since its head was read; it may not be shorter.
  const end = Math.max(seq, run.kept?.seq ?? 0);
  if (place.seq < end) return broken(place.seq + 1, 'is missing: the end was cut off');
  if (!cutIsNamed) return broken(begin.seq, 'is missing, and no entry says that the log begins behind it');
  return { kind: 'whole', head: place, ...(begin.seq > 0 && { begin }) };
}

type Head = ChainPlace & { readonly tenant: string; readonly begin?: ChainPlace };

const isCutAt = ({ action, entity, detail }: AuditEntryShown, { seq, hash }: ChainPlace): boolean => {
  const said = detail as Partial<ChainPlace> | null;
  return action === AUDIT_CUT && entity === 'audit' && said?.seq === seq && said.hash === hash;
};

const broken = (seq: number, what: string): AuditVerdict => ({
  kind: 'broken',
  seq,
  reason: `Entry ${seq} ${what}.`,
});
