import { expect, it } from 'vitest';
import type { HeartbeatRecord } from '#appliance/alarm/heartbeat/index.ts';
import { heartbeatReporter } from '#appliance/alarm/receiving/heartbeat-report.ts';
import type { OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { devicesSeenDataSchema } from '#shared/contract/feed/index.ts';

function adapters() {
  const rows: OutboxRow[] = [];
  const ports = {
    clock: { wallMs: () => 1_770_000_000_000, monoMs: () => 5_000 },
    random: (length: number) => new Uint8Array(length),
    tenant: () => ({ domain: 'care.example' }),
    place: { epoch: 3 },
    journal: {
      boot: 2,
      runningMs: 0,
      nextSeq: () => rows.length + 1,
      commit: async (writes: readonly { readonly row: OutboxRow }[]) => {
        rows.push(...writes.map(({ row }) => row));
      },
    },
    log: () => undefined,
    run: () => undefined,
  };
  return { ports: ports as unknown as Parameters<typeof heartbeatReporter>[0], rows };
}

const records = (count: number, name: (n: number) => string): HeartbeatRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ tenant: 'care.example', deviceId: name(n), status: 'online', lastMs: 1, body: '{}' },
    expiresMs: 1_770_000_300_000 + n,
  }));

it.each([
  ['as they are', (n: number) => `0046701234${n}`, 50],
  ['as long as they may be, in signs of several bytes', (n: number) => `${'ä'.repeat(250)}${n}`, 700],
])('40,000 devices are reported in few events that fit into a message: ids %s', (_, name, most) => {
  const { ports, rows } = adapters();
  const all = records(40_000, name);
  heartbeatReporter(ports, () => true)(all);
  expect(rows.length).toBeLessThan(most);
  for (const { body } of rows) expect(Buffer.byteLength(body)).toBeLessThan(48 * 1_024);
  expect(rows.every(({ lane, type }) => lane === 'usage' && type === 'devicesSeen')).toBe(true);
  const reported = rows.flatMap(({ body }) => devicesSeenDataSchema.parse(JSON.parse(body)).devices);
  expect(reported).toEqual(all.map(({ deviceId, expiresMs }) => [deviceId, expiresMs]));
});

it('nothing is laid up for a cloud that is away', () => {
  const { ports, rows } = adapters();
  heartbeatReporter(ports, () => false)(records(3, String));
  heartbeatReporter(ports, () => true)([]);
  expect(rows).toEqual([]);
});
