import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';

/* A host keeps copies of what the other one does: whoever is erased is erased on both disks. */

const WITHIN_MS = 150_000;
const [ERASED, OTHER] = ['scaip-0001', 'scaip-0002'];

let site: SitePair;
beforeAll(async () => {
  site = await openSitePair({ alarmAction: 'drop' });
}, 180_000);
afterAll(() => site?.close(), 60_000);

interface Job {
  readonly id: string;
  readonly state: string;
  readonly hosts: readonly {
    hostId: string;
    state: string;
    reason?: string;
    report: Record<string, number>;
  }[];
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; job: Job }> {
  const answer = await fetch(`${site.api}/provisioning/${path}`, {
    method,
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as { job: Job }) };
}

const alarm = ({ sipPort }: PairHost, device: string) =>
  simulateScaip({
    ...{ to: `127.0.0.1:${sipPort}`, transport: 'udp', domain: site.domain, receiver: 'scaip', device },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });

function read<Found>({ folder }: PairHost, question: (file: Database.Database) => Found): Found {
  const file = new Database(join(folder, 'journal.db'), { readonly: true });
  try {
    return question(file);
  } finally {
    file.close();
  }
}

const counted = (file: Database.Database, from: string, ...values: string[]): number =>
  (file.prepare(`SELECT count(*) n FROM ${from}`).get(...values) as { n: number }).n;

/** Rows of the host itself that name the device, and copies of what the other host does. */
const onDisk = (host: PairHost, device: string) =>
  read(host, (file) => {
    const naming = (table: string) => counted(file, `${table} WHERE instr(body, ?) > 0`, device);
    const own = ['session', 'event', 'outbox', 'trace'].reduce((sum, table) => sum + naming(table), 0);
    return { own, copies: naming('peer_row') };
  });

/** No alarm is open, and no request waits for a message about the device. */
const isOver = (host: PairHost, device: string): boolean =>
  read(host, (file) => {
    const waiting = (rows: string) => counted(file, `${rows} AND instr(body, ?) > 0`, device);
    const [own, copies] = [
      "outbox WHERE state IN ('new', 'inflight')",
      "peer_row WHERE done = 0 AND kind = 'outbox'",
    ];
    return counted(file, 'session WHERE closed = 0') + waiting(own) + waiting(copies) === 0;
  });

it('a person is erased on both disks, on that of a host that was away when it is back', {
  timeout: 4 * WITHIN_MS,
}, async () => {
  const [one, two] = site.hosts;
  for (const [host, device] of [
    [one, ERASED],
    [two, ERASED],
    [one, OTHER],
  ] as const)
    expect(await alarm(host, device)).toMatchObject({ failures: [] });
  const over = () => site.hosts.every((host) => isOver(host, ERASED));
  await expect.poll(over, { timeout: WITHIN_MS, interval: 200 }).toBe(true);
  const before = site.hosts.map((host) => onDisk(host, ERASED));
  for (const { own, copies } of before) expect(Math.min(own, copies)).toBeGreaterThan(0);
  const kept = site.hosts.map((host) => onDisk(host, OTHER));

  await two.process.stop();
  const started = await ask('POST', `personaldata/${site.domain}`, { kind: 'erasure', deviceId: ERASED });
  expect(started).toMatchObject({ status: 200 });
  const path = `personaldata/${site.domain}/${started.job.id}`;
  const partOf = async (hostId: string) =>
    (await ask('GET', path)).job.hosts.find((each) => each.hostId === hostId);
  await expect
    .poll(() => partOf('one'), { timeout: WITHIN_MS, interval: 200 })
    .toMatchObject({
      state: 'pending',
      reason: expect.stringContaining('once more') as string,
      report: { session: expect.any(Number) as number, copy: expect.any(Number) as number },
    });
  expect(onDisk(one, ERASED)).toEqual({ own: 0, copies: 0 });
  expect(await partOf('two')).toMatchObject({ state: 'pending' });
  expect(onDisk(two, ERASED)).toEqual(before[1]);

  await two.process.start();
  await expect
    .poll(async () => (await ask('GET', path)).job.state, { timeout: WITHIN_MS, interval: 200 })
    .toBe('done');
  // Before it was asked, host two had copied to the other one what it knew.
  expect(site.hosts.map((host) => onDisk(host, ERASED))).toEqual([
    { own: 0, copies: 0 },
    { own: 0, copies: 0 },
  ]);
  expect(site.hosts.map((host) => onDisk(host, OTHER))).toEqual(kept);
});
