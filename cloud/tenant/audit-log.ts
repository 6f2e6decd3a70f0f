import { fail, ok, type Result } from '#shared/result.ts';
import { type AuditRow, auditAfter, auditHead, type Page, pageOf } from '../store/index.ts';
import type { TenancyPort } from './port.ts';

/** One entry as answers show it; `hash` covers it and `previous`, so that the chain can be checked by anyone. */
export type AuditEntryShown = Omit<AuditRow, 'tenant' | 'kid'> & { readonly kid?: string };

/** Who changed what, before and after, from where: control plane, section 12. Secrets are masked when it is written. */
export const auditLog = ({ store }: TenancyPort) => ({
  /** Oldest first; `after` is the number of an entry, empty = from the first. Fails with `invalid` for anything else. */
  list: async (tenant: string, after: string, limit: number): Promise<Result<Page<AuditEntryShown>>> => {
    const seq = Number(after);
    if (!Number.isSafeInteger(seq)) return fail('invalid', '/nextToken: is not of this list', '/nextToken');
    return ok(
      pageOf(await auditAfter(store, tenant, seq, limit + 1), limit, (row) => String(row.seq), shown),
    );
  },

  /** Newest number and hash: what an auditor keeps elsewhere to notice a cut end. */
  head: (tenant: string): Promise<{ seq: number; hash: string }> => auditHead(store, tenant),
});

const shown = ({ tenant: _, kid, ...row }: AuditRow): AuditEntryShown => ({
  ...row,
  ...(kid === null ? {} : { kid }),
});
