import { RecordIntake } from '#cloud/record/index.ts';
import { TranscriptSearch } from '#cloud/record/transcript/index.ts';
import {
  insertHost,
  insertTenant,
  type SessionRecordRow,
  type Store,
  updateHostStatus,
} from '#cloud/store/index.ts';
import type { HostPlace } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { fail } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';

export const NOW = Date.UTC(2026, 10, 26, 12);

/** Ids in order, the same in every run. */
export const recordIdOf = (n: number): string =>
  ulid(NOW + n, new Uint8Array([n >> 24, n >> 16, n >> 8, n, 1, 2, 3, 4, 5, 6]));

/** A call as a host describes it; `changes` says what is different. */
export const callOf = (n: number, changes: object = {}) => ({
  ...{ v: 1, recordId: recordIdOf(n), kind: 'call', at: NOW + n, result: 'done' },
  ...{ traceId: `trace-${n}`, deviceId: `flat-${n}`, from: `+4670${n}`, to: '+4680555' },
  ...{ times: { arrived: NOW + n, ended: NOW + n + 60_000 }, durationMs: 60_000 },
  ...changes,
});

/** A batch of records with these numbers; each follows the one before. */
export const batchOf = (...items: readonly (readonly [seq: number, record: unknown, prev?: number])[]) => ({
  ...{ v: 1, sid: recordIdOf(0) },
  items: items.map(([seq, record, prev = seq - 1]) => ({ seq, prev, record })),
});

export interface IntakeStage {
  readonly intake: RecordIntake;
  readonly announced: { readonly tenant: string; readonly rows: readonly SessionRecordRow[] }[];
  /** Another host, of the site and the tenant that it names. */
  readonly host: (uid: string, siteId?: string, tenant?: string) => Promise<HostPlace>;
}

/** Two tenants `t` and `o`, and the intake on their database. */
export async function intakeStage(store: Store): Promise<IntakeStage> {
  const announced: { tenant: string; rows: readonly SessionRecordRow[] }[] = [];
  await store.withTx(async (tx) => {
    for (const [id, domain] of [
      ['t', 'a.test'],
      ['o', 'b.test'],
    ] as const)
      await insertTenant(tx, { id, domain, name: null, createdAt: 0, notBefore: 0 });
  });
  return {
    announced,
    intake: new RecordIntake({ store, onTaken: (tenant, rows) => announced.push({ tenant, rows }) }),
    host: async (uid, siteId = 'north', tenant = 't') => {
      const place = { tenant, siteId, uid, sh: '00' };
      await store.withTx((tx) =>
        insertHost(tx, {
          ...{
            ...HOST_ROW,
            ...place,
            hostId: `gw-${uid}`,
            lifecycle: 'active',
            lifecycleSince: 0,
            createdAt: 0,
          },
        }),
      );
      return place;
    },
  };
}

/** Two hosts of one site that can be asked. */
export async function twoHosts(store: Store, tenant: string): Promise<void> {
  for (const uid of ['gw1', 'gw2'])
    await store.withTx(async (tx) => {
      await insertHost(tx, {
        ...{ ...HOST_ROW, uid, tenant, siteId: 'north', hostId: uid, sh: '00' },
        ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
      });
      await updateHostStatus(tx, uid, { connectivity: 'online' });
    });
}

/** A search in transcripts of hosts that none can reach. */
export const unreachedSearch = (store: Store): TranscriptSearch =>
  new TranscriptSearch({ store, ask: async () => fail('hostUnreachable', 'there is no host here') });
