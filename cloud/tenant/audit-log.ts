import type { AuditEntryShown } from '#shared/contract/record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type AuditRow,
  type AuditSubject,
  auditAfter,
  auditAnchor,
  auditBefore,
  auditHead,
  auditOf,
  auditOfHost,
  hostByName,
  type Page,
  pageOf,
} from '../store/index.ts';
import type { TenancyPort } from './credential/port.ts';

/**
 * Each change with its author, the values before and after, and the address (control plane, section 12); an empty tenant id is
 * the platform's own. Secrets are masked when it is written; `hash` covers an entry and the one before it, so that anybody can
 * check the chain.
 */
export const auditLog = ({ store }: TenancyPort) => ({
  /** `after` is the number of an entry, empty = from the first in this order. Fails with `invalid` for anything else. */
  list: async (
    tenant: string,
    order: 'oldest' | 'newest',
    after: string,
    limit: number,
  ): Promise<Result<Page<AuditEntryShown>>> => {
    const seq =
      order === 'oldest' ? Math.max(Number(after), (await auditAnchor(store, tenant)).seq) : Number(after);
    if (!Number.isSafeInteger(seq)) return otherList();
    const rows =
      order === 'oldest'
        ? await auditAfter(store, tenant, seq, limit + 1)
        : await auditBefore(store, tenant, after === '' ? undefined : seq, limit + 1);
    return ok(pageOf(rows, limit, (row) => String(row.seq), shown));
  },

  /** Entries about one host, newest first; `after` as in `list`. Fails with `notFound` and `invalid`. */
  ofHost: async (
    tenant: string,
    { siteId, hostId }: { readonly siteId: string; readonly hostId: string },
    after: string,
    limit: number,
  ): Promise<Result<Page<AuditEntryShown>>> => {
    const seq = Number(after);
    if (!Number.isSafeInteger(seq)) return otherList();
    const host = await hostByName(store, tenant, siteId, hostId);
    if (host === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    const rows = await auditOfHost(store, tenant, host.uid, after === '' ? undefined : seq, limit + 1);
    return ok(pageOf(rows, limit, (row) => String(row.seq), shown));
  },

  /** Entries about one resource or of one actor, newest first; `after` as in `list`. Fails with `invalid`. */
  of: async (
    tenant: string,
    subject: AuditSubject,
    after: string,
    limit: number,
  ): Promise<Result<Page<AuditEntryShown>>> => {
    const seq = Number(after);
    if (!Number.isSafeInteger(seq)) return otherList();
    const rows = await auditOf(store, tenant, subject, after === '' ? undefined : seq, limit + 1);
    return ok(pageOf(rows, limit, (row) => String(row.seq), shown));
  },

  /** Newest number and hash: what an auditor keeps elsewhere to notice a cut end. */
  head: async (tenant: string) => ({
    ...(await auditHead(store, tenant)),
    begin: await auditAnchor(store, tenant),
  }),
});

const otherList = () =>
  fail('invalid', '/nextToken: must be the nextToken of a previous page of this list', '/nextToken');

const shown = ({ tenant: _, kid, ...row }: AuditRow): AuditEntryShown => ({
  ...row,
  ...(kid === null ? {} : { kid }),
});
