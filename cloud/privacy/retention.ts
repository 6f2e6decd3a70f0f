import {
  type Actor,
  auditOlderThan,
  deleteAuditBehindAnchor,
  EXPIRY_STEP,
  EXPIRY_STEPS,
  type Expiry,
  listTenants,
  moveAuditAnchor,
  oldRecordings,
  type Store,
} from '../store/index.ts';

const DAY_MS = 86_400_000;
const TENANTS_AT_ONCE = 100;
/** Chosen: the log is cut when a day's worth is over, so that the entries about cuts stay few. */
const CUT_EVERY_MS = DAY_MS;

/** Days by class. */
export interface KeptDays {
  readonly calls: number;
  readonly alarms: number;
  readonly recordings: number;
  readonly audit: number;
  readonly logs: number;
}

/** Removes a recording with its bytes and its row, audited. */
export type DropRecording = (
  call: { readonly tenant: string; readonly domain: string; readonly actor: Actor },
  name: string,
) => Promise<unknown>;

export interface RetentionPort {
  readonly store: Store;
  readonly kept: KeptDays;
  readonly dropRecording: DropRecording;
  readonly nowMs: () => number;
  /** Lets everything else that is due go first. */
  readonly breathe: () => Promise<void>;
}

const SYSTEM = { name: 'system', address: '', requestId: 'retention' };

/** The rows that one round removed, by kind, without zeros. */
export type Removed = Readonly<Record<string, number>>;

/**
 * One round over all tenants: removes the data whose time is over (control plane, section 12), in small steps. The next round
 * continues one that is cut off.
 */
export async function expireData(port: RetentionPort): Promise<Removed> {
  const { store } = port;
  const removed = { rows: 0, recordings: 0, audit: 0 };
  // The platform's own log belongs to no tenant.
  removed.audit += await cutAudit(port, '');
  for (let after = ''; ; ) {
    const tenants = await listTenants(store, after, TENANTS_AT_ONCE);
    for (const { id, domain } of tenants) {
      removed.rows += await expireRows(port, id);
      removed.recordings += await expireRecordings(port, id, domain);
      removed.audit += await cutAudit(port, id);
      after = domain;
    }
    if (tenants.length < TENANTS_AT_ONCE) break;
  }
  return Object.fromEntries(Object.entries(removed).filter(([, count]) => count > 0));
}

async function expireRows({ store, kept, nowMs, breathe }: RetentionPort, tenant: string): Promise<number> {
  const now = nowMs();
  const expiry: Expiry = {
    calls: now - kept.calls * DAY_MS,
    alarms: now - kept.alarms * DAY_MS,
    audit: now - kept.audit * DAY_MS,
    logs: now - kept.logs * DAY_MS,
  };
  let removed = 0;
  for (const step of EXPIRY_STEPS) {
    for (let deleted = EXPIRY_STEP; deleted >= EXPIRY_STEP; await breathe()) {
      deleted = await store.withTx((tx) => step(tx, tenant, expiry, now));
      removed += deleted;
    }
  }
  return removed;
}

async function expireRecordings(port: RetentionPort, tenant: string, domain: string): Promise<number> {
  const { store, kept, dropRecording, nowMs, breathe } = port;
  let removed = 0;
  for (;;) {
    const old = await oldRecordings(store, tenant, nowMs() - kept.recordings * DAY_MS, EXPIRY_STEP);
    for (const { name } of old) {
      await dropRecording({ tenant, domain, actor: { ...SYSTEM, at: nowMs() } }, name);
      await breathe();
    }
    removed += old.length;
    if (old.length < EXPIRY_STEP) return removed;
  }
}

/** The chain stays whole: its begin moves first, said in the chain itself, and what lies before it goes then. */
async function cutAudit({ store, kept, nowMs, breathe }: RetentionPort, tenant: string): Promise<number> {
  const before = nowMs() - kept.audit * DAY_MS;
  const due = await auditOlderThan(store, tenant, before - CUT_EVERY_MS);
  const place = due && (await auditOlderThan(store, tenant, before));
  if (place !== undefined)
    await store.withTx((tx) => moveAuditAnchor(tx, { ...SYSTEM, at: nowMs() }, tenant, place));
  let removed = 0;
  for (let deleted = EXPIRY_STEP; deleted >= EXPIRY_STEP; await breathe()) {
    deleted = await store.withTx((tx) => deleteAuditBehindAnchor(tx, tenant, EXPIRY_STEP));
    removed += deleted;
  }
  return removed;
}
