import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PlatformAlarmTable } from '#cloud/monitoring/index.ts';
import { brokerViewSchema, platformTroubleSchema, replicaViewSchema } from '#shared/contract/site/index.ts';
import { createMachine } from './io/machine.ts';
import { openWholeCloud, type WholeCloud } from './whole-cloud.ts';

let cloud: WholeCloud;
beforeAll(async () => {
  cloud = await openWholeCloud();
});
afterAll(() => cloud.close());

type Answer = Readonly<Record<string, unknown>> & { readonly status: number };

async function ask(method: string, path: string, body?: object, token = cloud.owner): Promise<Answer> {
  const answer = await fetch(`${cloud.api}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...((await answer.json()) as Record<string, unknown>), status: answer.status };
}

it('the broker is shown as it was tried, and tried again', async () => {
  const first = brokerViewSchema.parse((await ask('GET', '/platform/broker')).broker);
  expect(first).toMatchObject({
    mode: 'embedded',
    url: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
    shards: { owned: 64, down: 0 },
    hosts: 0,
  });
  expect(first.fault).toBeUndefined();
  expect(first.findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(first.findings.map(({ name, needed }) => `${name} ${needed}`)).toEqual([
    'clientId true',
    'retain true',
    'will true',
    'takeover true',
    'session true',
    'mqtt5 false',
    'share false',
  ]);
  expect(brokerViewSchema.parse((await ask('GET', '/platform/broker')).broker).checkedAt).toBe(
    first.checkedAt,
  );
  const again = brokerViewSchema.parse((await ask('POST', '/platform/broker/check')).broker);
  expect(again.checkedAt).toBeGreaterThan(first.checkedAt ?? 0);
});

it('a machine without a claim is an alarm of the platform, and of no tenant', async () => {
  expect(await ask('GET', '/platform/alarm')).toMatchObject({ alarms: [] });
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  const claim = { claimCode: 'ABCDEFGHJK', hostId: 'gw-1', csr, sealKey, version: '1' };
  expect((await ask('POST', '/edge/v1/claim', claim)).status).toBe(403);
  const { alarms } = (await ask('GET', '/platform/alarm')) as unknown as { alarms: unknown[] };
  expect(alarms.map((each) => platformTroubleSchema.parse(each))).toMatchObject([
    { error: 'unknownHost', subject: '127.0.0.1', status: 'noted' },
  ]);
});

it('a tenant sees nothing of it', async () => {
  await ask('POST', '/platform/tenant', { domain: 'care.example' });
  const { token } = await ask('POST', '/provisioning/apitoken/care.example', {});
  for (const [method, path] of [
    ['GET', '/platform/broker'],
    ['POST', '/platform/broker/check'],
    ['GET', '/platform/alarm'],
    ['GET', '/platform/replica'],
  ] as const)
    expect((await ask(method, path, undefined, String(token))).status).toBe(403);
});

it('the only process is shown with its version, its machine and all shards', async () => {
  const { replicas } = (await ask('GET', '/platform/replica')) as unknown as { replicas: unknown[] };
  const [one, ...others] = replicas.map((each) => replicaViewSchema.parse(each));
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    live: true,
    answering: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    machine: hostname(),
  });
  expect(one?.shards).toHaveLength(64);
  expect(one?.leaseUntil).toBeGreaterThan(one?.lastSeenAt ?? 0);
});

it('/metrics reports hosts, shards and the process', async () => {
  const text = await (await fetch(`${cloud.api}/metrics`)).text();
  expect(text).toMatch(/^carillon_shard_owned 64$/m);
  expect(text).toMatch(/^carillon_broker_connected 64$/m);
  expect(text).toMatch(/^carillon_heartbeats_total 0$/m);
  expect(text).toMatch(/^carillon_shard_takeovers_total 0$/m);
  expect(text).toMatch(/^carillon_outbox_depth\{lane="platform"\} 0$/m);
  expect(text).toMatch(/^carillon_alarm_queue_alarms\{state="waiting"\} 0$/m);
  expect(text).toMatch(/^carillon_alarm_queue_oldest_seconds 0$/m);
  expect(text).toMatch(/^carillon_db_tx_seconds_count\{op="other"\} [1-9]/m);
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(figure('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(figure('process_resident_memory_bytes')).toBeGreaterThan(20e6);
  expect(figure('nodejs_eventloop_lag_p99_seconds')).toBeLessThan(60);
  expect(figure('process_start_time_seconds')).toBeLessThanOrEqual(Date.now() / 1_000);
});

it('/metrics reports who was not let in, and which patterns were not taken', async () => {
  const counted = async (series: string): Promise<number> => {
    const text = await (await fetch(`${cloud.api}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    );
  };
  const unknown = 'carillon_auth_fail_total{reason="unauthorized"}';
  const before = await counted(unknown);
  expect((await ask('GET', '/platform/broker', undefined, 'guessed')).status).toBe(401);
  expect(await counted(unknown)).toBe(before + 1);

  expect(await counted('carillon_regex_reject_total')).toBe(0);
  await ask('POST', '/platform/tenant', { domain: 'pattern.example' });
  const bridge = {
    name: 'a',
    protocol: 'scaip',
    destinationMatch: '(a',
    callbackBaseUrl: 'https://app.example/',
  };
  const refused = await ask('POST', '/provisioning/alarmbridge/pattern.example', bridge);
  expect(refused).toMatchObject({ status: 400, reason: expect.stringContaining('destinationMatch') });
  expect(await counted('carillon_regex_reject_total')).toBe(1);
  await ask('POST', '/provisioning/alarmbridge/pattern.example', { nothing: 'known' });
  expect(await counted('carillon_regex_reject_total')).toBe(1);
});

it('the table keeps one alarm while it stands, what stands before what is over, and 200 in all', () => {
  let now = 1;
  const said: string[] = [];
  const table = new PlatformAlarmTable({
    nowMs: () => now,
    random: (length) => new Uint8Array(length),
    log: (level, event, _, detail) => said.push(`${level} ${event} ${detail?.reason}`),
  });
  const away = { error: 'brokerUnreachable', subject: '' } as const;
  table.raise({ ...away, message: 'away' });
  now = 2;
  table.raise({ ...away, message: 'away' });
  expect(table.list()).toMatchObject([{ status: 'active', raisedAt: 1 }]);
  for (let n = 0; n < 300; n++) table.note({ error: 'unknownHost', subject: `${n}`, message: `came ${n}` });
  expect(table.list()).toHaveLength(200);
  expect(table.list()[0]).toMatchObject({ subject: '299' });
  expect(table.list().at(-1)).toMatchObject({ ...away, status: 'active' });
  table.clear(away);
  expect(table.list().at(-1)).toMatchObject({ status: 'cleared', clearedAt: 2 });
  table.clear(away);
  expect(said.filter((line) => line.includes('away'))).toEqual([
    'warn deployment_alarm.raised away',
    'info deployment_alarm.cleared away',
  ]);
});
