import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import { openPhone, simulateScaip } from '#appliance/simulator/index.ts';
import { DEMO_ANALOGUE, DEMO_OPERATOR } from '#installer/step/demo-tenant.ts';
import type { SessionTrace, ShownRecord } from '#shared/contract/session-record/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/*
 * Records on their way, each program a process of its own and all on one clock: how soon one is in the cloud, that a trace of
 * 50,000 steps comes whole, and how much of the line a backlog of records takes while a call runs.
 */

const DEVICE = 'scaip-0001';
const WAIT = { timeout: 60_000, interval: 100 };
const STEPS = 50_000;

let site: Site;
beforeAll(async () => {
  site = await openSite({ alarmAction: 'drop' });
});
afterAll(async () => {
  for (const phone of phones) await phone.close();
  await site?.close();
});
const phones: { close(): Promise<void> }[] = [];

async function ask<Body>(path: string): Promise<Body> {
  const answer = await fetch(`${site.api}/record/${site.domain}${path}`, {
    headers: { authorization: `Bearer ${site.token}` },
  });
  return (await answer.json()) as Body;
}
/** Every page. */
async function recordsOf(filter: string): Promise<readonly ShownRecord[]> {
  const all: ShownRecord[] = [];
  for (let token = ''; ; ) {
    const next = token === '' ? '' : `&nextToken=${encodeURIComponent(token)}`;
    const page = await ask<{ records: ShownRecord[]; nextToken?: string }>(`?${filter}${next}`);
    all.push(...page.records);
    if (page.nextToken === undefined) return all;
    token = page.nextToken;
  }
}

it('a record is in the cloud within 2 s after the end of its session', { timeout: 120_000 }, async () => {
  await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: DEVICE },
    ...{ password: undefined, count: 5, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  const records = await vi.waitFor(async () => {
    const all = await recordsOf('kind=alarm');
    expect(all.filter(({ result }) => result === 'done')).toHaveLength(5);
    return all;
  }, WAIT);
  const lateMs = records.map(({ receivedAt, times }) => receivedAt - (times.ended ?? 0));
  expect(Math.max(...lateMs)).toBeLessThanOrEqual(2_000);
});

it('a trace of 50,000 steps is fetched whole, and alarms are answered meanwhile', {
  timeout: 240_000,
}, async () => {
  const [record] = await recordsOf('kind=alarm');
  await site.stopAppliance();
  const journal = new Database(join(site.applianceFolder, 'journal.db'));
  const put = journal.prepare(
    "INSERT INTO trace (trace_id, session_id, ordinal, at, kind, body) VALUES (?, NULL, ?, ?, 'page', ?)",
  );
  const at = record?.at ?? 0;
  journal.transaction(() => {
    for (let page = 0; page < STEPS / 100; page++) {
      const steps = Array.from({ length: 100 }, (_, n) => ({
        ...{ atMs: at + page * 100 + n, kind: 'toneHeard' },
        detail: { digit: String(n % 10), ms: 80, levelDbm0: -7.25, source: 'inband' },
      }));
      put.run(record?.traceId, 1_000 + page, Math.floor(at), JSON.stringify(steps));
    }
  })();
  journal.close();
  await site.startAppliance();
  const before = site.received.length;
  const beganMs = performance.now();
  const fetching = vi.waitFor(async () => {
    const { trace } = await ask<{ trace?: SessionTrace }>(`/${record?.recordId}/trace`);
    expect(trace?.complete).toBe(true);
    return trace;
  }, WAIT);
  const { answers } = await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: DEVICE },
    ...{ password: undefined, count: 3, rate: 2, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  const trace = await fetching;
  process.stdout.write(
    `a trace of ${trace?.steps.length} steps in ${Math.round(performance.now() - beganMs)} ms\n`,
  );
  expect(trace?.steps.length).toBeGreaterThanOrEqual(STEPS);
  expect(answers).toHaveLength(3);
  expect(site.received.length).toBeGreaterThan(before);
});

/** 256 kbit/s. */
const BACKLOG_BYTES_PER_S = 32_000;
/** An arrival is noted when its batch is stored: the first may be late by so much, and the last not. */
const NOTED_WITHIN_MS = 1_000;
const BACKLOG = 1_000;

/** Records of messages in the store of the host, as an outage leaves them; gives the bytes of each. */
function leaveBacklog(): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  const store = new Database(join(site.applianceFolder, 'record.db'));
  const put = store.prepare(
    "INSERT INTO record (record_id, at, kind, result, body) VALUES (?, ?, 'message', 'done', ?)",
  );
  store.transaction(() => {
    for (let n = 0; n < BACKLOG; n++) {
      const at = Date.now() - BACKLOG + n;
      const recordId = recordIdOf(`backlog ${n}`, at);
      const facts = { v: 1, recordId, kind: 'message', at, result: 'done', times: { arrived: at } };
      const body = JSON.stringify({
        ...facts,
        reason: 'x'.repeat(250),
        requestUri: `sip:${'y'.repeat(240)}`,
      });
      bytes.set(recordId, body.length);
      put.run(recordId, at, body);
    }
  })();
  store.close();
  return bytes;
}

it('a backlog of records takes 256 kbit/s at most while a call runs, and the event of an alarm goes first', {
  timeout: 240_000,
}, async () => {
  await site.stopCloud();
  await site.stopAppliance();
  const bytes = leaveBacklog();
  await site.startAppliance();
  const phone = async (user: string) => {
    const line = { to: site.sip, transport: 'udp', domain: site.domain, password: 'for telephones' } as const;
    const opened = await openPhone({ ...line, user, srtp: 'negotiated', says: {} });
    phones.push(opened);
    return opened;
  };
  (await phone(DEMO_OPERATOR)).answer(200_000, () => undefined);
  const caller = await phone(DEMO_ANALOGUE);
  const talking = caller.call(DEMO_OPERATOR, 200_000);
  await site.startCloud();
  const arrived = async (least: number) =>
    await vi.waitFor(
      async () => {
        const all = await recordsOf('kind=message');
        expect(all.length).toBeGreaterThanOrEqual(least);
        return all.toSorted((a, b) => a.receivedAt - b.receivedAt);
      },
      { ...WAIT, interval: 500 },
    );
  await arrived(50);
  // The alarm of an unknown unit is an event of the cloud, too. It overtakes the backlog.
  await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: 'stranger-1' },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  await vi.waitFor(async () => {
    const answer = await fetch(`${site.api}/provisioning/log/${site.domain}?limit=100`, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    expect(await answer.text()).toContain('stranger-1');
  }, WAIT);
  const meanwhile = await recordsOf('kind=message');
  expect(meanwhile.length).toBeLessThan(BACKLOG);

  const slow = await arrived(BACKLOG / 2);
  const [first, last] = [slow.at(0)?.receivedAt ?? 0, slow.at(-1)?.receivedAt ?? 0];
  // The last batch has the time behind it, which is not over.
  const within = slow.filter(({ receivedAt }) => receivedAt < last);
  const sent = within.reduce((sum, { recordId }) => sum + (bytes.get(recordId) ?? 0), 0);
  const perS = (sent * 1_000) / (last - first + NOTED_WITHIN_MS);
  process.stdout.write(`${Math.round(perS)} bytes/s over ${last - first} ms while a call runs\n`);
  expect(perS).toBeLessThanOrEqual(BACKLOG_BYTES_PER_S);
  expect(last - first).toBeGreaterThan(5_000);

  caller.hangUp();
  await talking;
  const all = await arrived(BACKLOG);
  const rest = all.filter(({ receivedAt }) => receivedAt > last);
  const restMs = (rest.at(-1)?.receivedAt ?? 0) - (rest.at(0)?.receivedAt ?? 0);
  const restBytes = rest.reduce((sum, { recordId }) => sum + (bytes.get(recordId) ?? 0), 0);
  process.stdout.write(`${restBytes} bytes in ${restMs} ms without a call\n`);
  expect(new Set(all.map(({ recordId }) => recordId)).size).toBe(BACKLOG);
});
