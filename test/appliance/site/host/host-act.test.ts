import { expect, it } from 'vitest';
import type { OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { hostActs, tellBundle, tellReturn } from '#appliance/site/host/host-act.ts';
import { type HostActData, hostActDataSchema } from '#shared/contract/feed/index.ts';

/** A journal that keeps rows, or cannot; the other ports as far as a row needs them. */
function adapters(fails = false) {
  const rows: OutboxRow[] = [];
  const logged: string[] = [];
  const works: Promise<unknown>[] = [];
  const ports = {
    clock: { wallMs: () => 1_770_000_000_000, monoMs: () => 5_000 },
    random: (length: number) => new Uint8Array(length),
    tenant: () => ({ domain: 'care.example' }),
    place: { epoch: 3 },
    journal: {
      boot: 2,
      runningMs: 0,
      nextSeq: () => rows.length + 1,
      commit: async ([write]: readonly { readonly row: OutboxRow }[]) => {
        if (fails) throw new Error('disk full');
        if (write !== undefined) rows.push(write.row);
      },
    },
    log: (level: string, event: string) => logged.push(`${level} ${event}`),
    run: (work: Promise<unknown>) => works.push(work),
  };
  return { ports: ports as unknown as Parameters<typeof hostActs>[0], rows, logged, works };
}

it('an act of a host waits in lane audit for the cloud, in the form that the cloud takes', async () => {
  const { ports, rows, works } = adapters();
  const act: HostActData = { action: 'override', by: 'kim', detail: { key: 'logLevel', expiresAt: null } };
  hostActs(ports, () => true)(act);
  await Promise.all(works);
  expect(rows).toMatchObject([
    {
      lane: 'audit',
      type: 'hostAct',
      dest: 'cloud',
      boot: 2,
      epoch: 3,
      state: 'new',
      tenant: 'care.example',
    },
  ]);
  expect(hostActDataSchema.parse(JSON.parse(rows[0]?.body ?? ''))).toEqual(act);
});

it('a machine of no tenant has no log; an act that cannot be stored is not silent', async () => {
  const alone = adapters();
  hostActs(alone.ports, () => false)({ action: 'technician' });
  expect(alone.rows).toEqual([]);
  const full = adapters(true);
  hostActs(full.ports, () => true)({ action: 'technician' });
  await Promise.all(full.works);
  expect(full.logged).toEqual(['error audit_entry.store_failed']);
});

it('a revision that came by file is reported when it is in force, one that the cloud gave is not', () => {
  const reported: HostActData[] = [];
  const change = { scope: 'site', rev: 4 } as const;
  tellBundle((act) => reported.push(act), { ...change, res: 'applied' }, 'cloud');
  tellBundle((act) => reported.push(act), { ...change, res: 'nack' }, 'bundle');
  expect(reported).toEqual([]);
  tellBundle((act) => reported.push(act), { ...change, res: 'applied' }, 'bundle');
  expect(reported).toEqual([{ action: 'bundle', detail: change }]);
});

it('a revision that the engines were not well with is reported, one that was refused before is not', () => {
  const reported: HostActData[] = [];
  const change = { scope: 'tenant', rev: 7, res: 'nack', applied: 6 } as const;
  const fault = (code: string, msg: string) => ({ code, path: '', msg });
  tellReturn((act) => reported.push(act), { ...change, err: [fault('resultHash', 'x')] });
  tellReturn((act) => reported.push(act), { ...change, res: 'ack', err: [] });
  expect(reported).toEqual([]);
  const err = [
    fault('healthGate', 'sip is not well with it'),
    fault('healthGate', 'media is not well with it'),
  ];
  tellReturn((act) => reported.push(act), { ...change, err });
  expect(reported).toEqual([
    {
      action: 'lastKnownGood',
      detail: {
        ...{ scope: 'tenant', refused: 7, applied: 6 },
        why: 'sip is not well with it; media is not well with it',
      },
    },
  ]);
});
