import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { DEMO_HOST, DEMO_SITE } from '#installer/step/demo-tenant.ts';
import { openSite, type Site, until } from '#test/support/site.ts';

/* A real alarm at a real appliance, until it stands in what the tenant used. */

const HOUR = 3_600_000;
const WITHIN_MS = 30_000;

let site: Site;
beforeAll(async () => {
  site = await openSite({
    alarmAction: 'drop',
    provision: async ({ api, token, domain, callbacks }) => {
      // No person is to speak with it: the application drops it, and its session is over with that answer.
      const bridge = { name: 'nobody', protocol: 'scaip', destinationMatch: '^nobody$', ...callbacks };
      const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(bridge),
      });
      expect(answer.status).toBe(200);
    },
  });
}, 90_000);
afterAll(() => site?.close(), 60_000);

const file = () => join(site.applianceFolder, 'usage.json');

/** Every alarm that came is over. */
function sessionsOver(): boolean {
  const journal = new Database(join(site.applianceFolder, 'journal.db'), { readonly: true });
  const rows = journal.prepare('SELECT closed FROM session').all() as { closed: number }[];
  journal.close();
  return rows.length > 0 && rows.every(({ closed }) => closed === 1);
}

interface Entry {
  readonly alarms: readonly object[];
  readonly callbacks: number;
}

const call = (method: string, path: string): Promise<Response> =>
  fetch(`${site.api}${path}`, { method, headers: { authorization: `Bearer ${site.token}` } });

const hostPath = (): string => `/site/${site.domain}/${DEMO_SITE}/host/${DEMO_HOST}`;

const alarm = (): Promise<unknown> =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'nobody', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });

async function used(fromMs: number): Promise<Entry | undefined> {
  const span = `from=${fromMs}&to=${fromMs + 1}&interval=hour`;
  const answer = await call('GET', `/provisioning/usage/${site.domain}?${span}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { entries: Entry[] }).entries[0];
}

it('an alarm stands in the usage of its tenant, once, after a night without power and another start', async () => {
  await alarm();
  expect(await until(sessionsOver, WITHIN_MS)).toBe(true);
  await site.stopAppliance();
  // The hour of the alarm was over while the machine was off: as if the night before.
  const [span] = JSON.parse(readFileSync(file(), 'utf8')) as { from: number; counts: object[] }[];
  const from = (span?.from ?? 0) - 12 * HOUR;
  writeFileSync(file(), JSON.stringify([{ ...span, from }]));
  await site.startAppliance();

  const alarms = [{ protocol: 'scaip', result: 'handled', count: 1 }];
  let entry: Entry | undefined;
  await expect
    .poll(
      async () => {
        entry = await used(from);
        return entry?.alarms;
      },
      { timeout: WITHIN_MS },
    )
    .toEqual(alarms);
  expect(entry?.callbacks).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([]);

  await site.stopAppliance();
  await site.startAppliance();
  expect((await used(from))?.alarms).toEqual(alarms);
}, 120_000);

it('a host that leaves says what it did in the hour that runs, to the last call, before it wipes itself', async () => {
  const from = Date.now();
  await alarm();
  expect(await until(sessionsOver, WITHIN_MS)).toBe(true);
  // One that is not there is let go without a word of its own.
  const status = async () =>
    ((await (await call('GET', hostPath())).json()) as { host: { status: string } }).host.status;
  await expect.poll(status, { timeout: WITHIN_MS }).toMatch(/^(online|degraded)$/);
  const left = await call('DELETE', `${hostPath()}?force=true&reason=moved`);
  expect(left.status).toBe(200);
  // It has said that it is wiped, and is no host any more.
  await expect.poll(async () => (await call('GET', hostPath())).status, { timeout: WITHIN_MS }).toBe(404);
  // An hour may have begun meanwhile.
  const hours = await Promise.all([from, Date.now()].map(used));
  expect(hours.flatMap((hour) => hour?.alarms ?? [])).toContainEqual({
    ...{ protocol: 'scaip', result: 'handled', count: 1 },
  });
}, 120_000);
