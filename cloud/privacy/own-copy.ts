import { maskSecrets } from '#shared/contract/provisioning/index.ts';
import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import { ok } from '#shared/result.ts';
import {
  auditAfter,
  blankEvents,
  type Call,
  deleteDevice,
  deleteSettledRelays,
  type EventPlace,
  eventsBetween,
  forgetChanges,
  listAlarms,
  mutate,
  readDevice,
  recordAudit,
  recordChange,
  relaysAfter,
  type Store,
  updateAlarm,
} from '../store/index.ts';
import { leftOf } from './blank.ts';
import type { CopyPort } from './copy-port.ts';
import { QUEUE } from './queue-row.ts';
import { REASONS } from './reason-row.ts';
import { RECORDS } from './record-row.ts';
import { REFUSED } from './refused-row.ts';

/** Rows between two breaths. */
const SLICE = 200;
const DEVICE = 'device';
/** Rows of which only words go, or all that they say. */
const TEXTS = [...RECORDS, ...REFUSED, ...REASONS, ...QUEUE];

/** Rows as an export shows them, by kind. */
export type ShownRows = Record<string, Record<string, unknown>[]>;

/** Events of hosts that name the subject, a slice at a time. */
async function* eventsOf({ store, breathe }: CopyPort, tenant: string, subject: DataSubject) {
  const { needle, isIn } = subjectMatcher(subject);
  let after: EventPlace | undefined;
  for (;;) {
    const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, ...(after !== undefined && { after }) };
    const rows = await eventsBetween(store, tenant, range, [needle], SLICE);
    yield rows.filter(({ event }) => isIn(JSON.stringify(event.body)));
    const last = rows.at(-1)?.event;
    if (rows.length < SLICE || last === undefined) return;
    after = { at: last.at, id: last.id };
    await breathe();
  }
}

/** Deliveries of platform alarms that name the subject. */
async function* deliveriesOf({ store, breathe }: CopyPort, tenant: string, subject: DataSubject) {
  const { isIn } = subjectMatcher(subject);
  for (let after = ''; ; ) {
    const rows = await relaysAfter(store, tenant, after, SLICE);
    yield rows.filter(({ body }) => isIn(JSON.stringify(body)));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < SLICE) return;
    await breathe();
  }
}

const STATUSES = ['active', 'acknowledged', 'cleared'] as const;

/** Alarms of supervision that name the subject, in what they say or in the remarks of people, and what an erasure leaves. */
async function* alarmsOf({ store, breathe }: CopyPort, tenant: string, subject: DataSubject) {
  const { isIn } = subjectMatcher(subject);
  for (let after = ''; ; ) {
    const rows = await listAlarms(store, tenant, STATUSES, after, SLICE);
    yield rows.flatMap((row) => {
      const { details, notes } = row;
      // The alarm stands as it stood, and who wrote when stays.
      const left = leftOf({ details, notes }, isIn);
      return left === undefined ? [] : [{ row, left }];
    });
    after = rows.at(-1)?.id ?? after;
    if (rows.length < SLICE) return;
    await breathe();
  }
}

/** Entries of the audit log that name the subject. They are shown, and never removed before their time. */
async function* auditOf({ store, breathe }: CopyPort, tenant: string, subject: DataSubject) {
  const { isIn } = subjectMatcher(subject);
  for (let after = 0; ; ) {
    const rows = await auditAfter(store, tenant, after, SLICE);
    yield rows.filter(({ entityId, detail }) => isIn(JSON.stringify([entityId, detail])));
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < SLICE) return;
    await breathe();
  }
}

/** Everything that the control plane itself knows of the subject but for `asked`, the export that asks; secrets masked. */
export async function ownCopy(
  port: CopyPort,
  tenant: string,
  subject: DataSubject,
  asked: string,
): Promise<ShownRows> {
  const rows: ShownRows = {};
  const add = (kind: string, row: Record<string, unknown>): void => {
    rows[kind] = [...(rows[kind] ?? []), row];
  };
  if ('deviceId' in subject) {
    const known = await readDevice(port.store, tenant, subject.deviceId);
    if (known !== undefined) {
      const body = maskSecrets(DEVICE, known.device.body) as object;
      add('device', { ...body, deviceId: subject.deviceId, heartbeat: known.heartbeat });
    }
  }
  for await (const found of eventsOf(port, tenant, subject))
    for (const { event, hostId } of found) {
      const { id, siteId, lane, type, at, body } = event;
      add('event', { id, siteId, hostId, lane, type, at, ...body });
    }
  for await (const found of deliveriesOf(port, tenant, subject))
    for (const { id, state, createdAt, body } of found) add('delivery', { id, state, createdAt, body });
  for await (const found of alarmsOf(port, tenant, subject))
    for (const { id, siteId, error, status, raisedAt, details, notes } of found.map(({ row }) => row))
      add('alarm', { id, siteId, error, status, raisedAt, details, notes });
  for (const { kind, find } of TEXTS)
    for await (const { id, said } of find(port, tenant, subject))
      if (id !== asked) add(kind, { id, ...said });
  for await (const found of auditOf(port, tenant, subject))
    for (const { seq, at, actor, action, entity, entityId, detail } of found)
      add('audit', { seq, at, actor, action, entity, entityId, detail });
  return rows;
}

export interface ErasedCopy {
  /** Rows by kind; `auditKept`: entries that stay for their time. */
  readonly counts: Readonly<Record<string, number>>;
  /** Deliveries and alarms of the alarm queue that wait: they go when they are over. */
  readonly owed: number;
}

/** Removes the control plane's own copy; missing data are no failure. */
export async function eraseOwnCopy(
  port: CopyPort,
  call: Call,
  subject: DataSubject,
  keepDevice: boolean,
): Promise<ErasedCopy> {
  const { store } = port;
  const { tenant } = call;
  const counts = { device: 0, event: 0, alarm: 0, delivery: 0, auditKept: 0 };
  const texts: Record<string, number> = {};
  let owed = 0;
  if ('deviceId' in subject && !keepDevice) counts.device = await eraseDevice(store, call, subject.deviceId);
  for await (const found of eventsOf(port, tenant, subject)) {
    await store.withTx((tx) =>
      blankEvents(
        tx,
        found.map(({ event }) => event.id),
      ),
    );
    counts.event += found.length;
  }
  for await (const found of alarmsOf(port, tenant, subject)) {
    await store.withTx(async (tx) => {
      for (const { row, left } of found) await updateAlarm(tx, row.id, left);
    });
    counts.alarm += found.length;
  }
  for await (const found of deliveriesOf(port, tenant, subject)) {
    const over = found.filter(({ state }) => state !== 'waiting').map(({ id }) => id);
    await store.withTx((tx) => deleteSettledRelays(tx, over));
    counts.delivery += over.length;
    owed += found.length - over.length;
  }
  for (const { kind, find, blank, isOwed } of TEXTS) {
    texts[kind] = 0;
    for await (const { id } of find(port, tenant, subject)) {
      const isRemoved = await store.withTx(async (tx) => {
        if ((await isOwed?.(tx, tenant, id)) === true) return false;
        await blank(tx, tenant, id, subject);
        return true;
      });
      if (isRemoved) texts[kind] += 1;
      else owed += 1;
    }
  }
  for await (const found of auditOf(port, tenant, subject)) counts.auditKept += found.length;
  return { counts: { ...counts, ...texts }, owed };
}

/** As DELETE of the device, but its contents go from older revisions too and stand in no new entry of the audit log. */
async function eraseDevice(
  store: Store,
  { once: _, ifMatch: __, ...call }: Call,
  id: string,
): Promise<number> {
  const erased = await mutate(store, call, async (tx) => {
    const { tenant, actor } = call;
    if ((await readDevice(tx, tenant, id)) === undefined) return ok(0);
    await deleteDevice(tx, tenant, id);
    const change = { scope: 'tenant', owner: tenant, entity: DEVICE, id, op: 'delete' } as const;
    await recordChange(tx, { ...change, body: undefined, massChange: false, at: actor.at });
    await recordAudit(tx, actor, { tenant, action: 'erase', entity: DEVICE, entityId: id });
    return ok(1);
  });
  await store.withTx((tx) => forgetChanges(tx, call.tenant, id));
  return erased.ok ? erased.value : 0;
}
