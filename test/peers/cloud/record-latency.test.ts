import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import type { SessionTrace, ShownRecord } from '#shared/contract/session-record/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/*
 * Records on their way, each program a process of its own and all on one clock: how soon one is in the cloud, and that a trace
 * of 50,000 steps comes whole.
 */

const DEVICE = 'scaip-0001';
const WAIT = { timeout: 60_000, interval: 100 };
const STEPS = 50_000;

let site: Site;
beforeAll(async () => {
  site = await openSite({ alarmAction: 'drop' });
}, 120_000);
afterAll(() => site?.close(), 60_000);

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
