import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { operatorCommands } from '#installer/command/operator/index.ts';
import { openSite, pause, type Site, until } from '#test/support/site.ts';

const WITHIN_MS = 120_000;
const [ERASED, OTHER] = ['scaip-0001', 'scaip-0002'];

let site: Site;
beforeAll(async () => {
  site = await openSite({ alarmAction: 'drop' });
}, 120_000);
afterAll(() => site?.close(), 60_000);

type Body = Record<string, unknown>;

async function ask(method: string, path: string, body?: unknown, token = site.token): Promise<Body> {
  const answer = await fetch(`${site.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const jobs = () => `/provisioning/personaldata/${site.domain}`;

interface Job {
  readonly id: string;
  readonly state: string;
  readonly report: Record<string, number>;
  readonly hosts: readonly { state: string; reason?: string; report: Record<string, number> }[];
}

/** Taken in; a message that is still on its way to the cloud is no active alarm and only makes it wait. */
async function start(kind: string, more: Body = { deviceId: ERASED }): Promise<Job> {
  const answer = await ask('POST', jobs(), { kind, ...more });
  expect(answer).toMatchObject({ status: 200 });
  return answer.job as Job;
}

async function job(id: string): Promise<Job> {
  return (await ask('GET', `${jobs()}/${id}`)).job as Job;
}

async function done(id: string): Promise<Job> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const now = await job(id);
    if (now.state === 'done') return now;
    if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(now)}`);
    await pause(200);
  }
}

const alarm = (device: string) =>
  simulateScaip({
    to: site.sip,
    transport: 'udp',
    domain: site.domain,
    receiver: 'scaip',
    device,
    password: undefined,
    count: 1,
    rate: 1,
    deviceType: '0003',
    statusCode: '0010',
    trust: undefined,
  });

/** Rows on the disk of the host that name the device. */
function onDisk(device: string): number {
  const file = new Database(join(site.applianceFolder, 'journal.db'), { readonly: true });
  try {
    const count = (table: string): number =>
      (file.prepare(`SELECT count(*) n FROM ${table} WHERE instr(body, ?) > 0`).get(device) as { n: number })
        .n;
    return ['session', 'event', 'outbox', 'trace'].reduce((sum, table) => sum + count(table), 0);
  } finally {
    file.close();
  }
}

const sessionsOpen = (): boolean => {
  const file = new Database(join(site.applianceFolder, 'journal.db'), { readonly: true });
  try {
    return (file.prepare('SELECT count(*) n FROM session WHERE closed = 0').get() as { n: number }).n > 0;
  } finally {
    file.close();
  }
};

describe('the data of a device', () => {
  it('is refused to whoever may not, and for what never was', async () => {
    const made = await ask('POST', `/provisioning/apitoken/${site.domain}`, {
      name: 'reader',
      scope: 'read',
    });
    const reader = String(made.token ?? made.apiToken);
    expect(await ask('POST', jobs(), { kind: 'export', deviceId: ERASED }, reader)).toMatchObject({
      status: 403,
    });
    expect(await ask('POST', jobs(), { kind: 'erasure', deviceId: 'never-was' })).toMatchObject({
      status: 404,
      reason: 'The device never-was does not exist and never existed. Check the deviceId.',
    });
    for (const wrong of [{}, { deviceId: 'a', address: '+46701234567' }, { address: '12' }])
      expect(await ask('POST', jobs(), { kind: 'export', ...wrong })).toMatchObject({ status: 400 });
    expect(await ask('GET', `${jobs()}/none`)).toMatchObject({ status: 404 });
  });

  it('is collected from the control plane and the host', { timeout: WITHIN_MS }, async () => {
    for (const device of [ERASED, OTHER, ERASED]) expect(await alarm(device)).toMatchObject({ failures: [] });
    const reported = () => site.received.filter(({ path }) => path === '/newAlarmbridgeEvent').length;
    expect(await until(() => reported() >= 3, WITHIN_MS)).toBe(true);
    const { id } = await start('export');
    const { hosts } = await done(id);
    expect(hosts).toMatchObject([{ state: 'done' }]);
    const document = await ask('GET', `${jobs()}/${id}/document`);
    expect(document).toMatchObject({
      complete: true,
      deviceId: ERASED,
      cloud: { device: [{ deviceId: ERASED }] },
    });
    const [host] = document.hosts as { rows: Record<string, Body[]> }[];
    expect(host?.rows.session).toHaveLength(2);
    expect(host?.rows.event?.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(document)).not.toContain(OTHER);
  });

  it('is erased at once where it can be, and where the host is away when it is back', {
    timeout: 3 * WITHIN_MS,
  }, async () => {
    expect(await until(() => !sessionsOpen(), WITHIN_MS)).toBe(true);
    const kept = onDisk(OTHER);
    await site.stopAppliance();
    const { id } = await start('erasure');
    const lost = async () =>
      (await ask('GET', `/provisioning/device/${site.domain}/${ERASED}`)).status === 404;
    const deadline = performance.now() + WITHIN_MS;
    while (!(await lost()) && performance.now() < deadline) await pause(100);
    expect(await lost()).toBe(true);
    expect(await job(id)).toMatchObject({ state: 'pending', hosts: [{ state: 'pending' }] });
    expect(onDisk(ERASED)).toBeGreaterThan(0);

    await site.startAppliance();
    const over = await done(id);
    expect(over).not.toHaveProperty('deviceId');
    expect(over.report).toMatchObject({ device: 1 });
    expect(over.hosts).toMatchObject([{ state: 'done', report: { session: 2 } }]);
    expect(onDisk(ERASED)).toBe(0);
    expect(onDisk(OTHER)).toBe(kept);
  });

  it('is nothing more afterwards, however often it is asked', { timeout: 2 * WITHIN_MS }, async () => {
    const again = await done((await start('erasure')).id);
    expect(again.hosts).toMatchObject([{ state: 'done', report: {} }]);
    const exported = await done((await start('export')).id);
    const { cloud, hosts } = await ask('GET', `${jobs()}/${exported.id}/document`);
    expect(Object.keys(cloud as object)).toEqual(['audit']);
    expect(hosts).toMatchObject([{ rows: {} }]);
  });

  it('stands in the audit log, by whom and when, and under no name', async () => {
    const { entries } = await ask('GET', `/provisioning/audit/${site.domain}?limit=100&order=newest`);
    const about = (entries as { action: string; entity: string; detail: unknown }[]).filter(
      ({ entity }) => entity === 'personaldata',
    );
    expect(about.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['export', 'export done', 'read', 'erasure', 'erasure done']),
    );
    expect(JSON.stringify(about)).not.toContain(ERASED);
  });

  it('is a command of the operator', { timeout: 2 * WITHIN_MS }, async () => {
    const lines: string[] = [];
    const carillon = async (...words: string[]): Promise<string> => {
      const root = new Command('carillon').exitOverride();
      const environment = { CARILLON_CLOUD: site.api, CARILLON_TOKEN: site.token };
      operatorCommands(root, { environment, say: (line) => lines.push(line) });
      await root.parseAsync(['privacy', ...words], { from: 'user' });
      return lines.splice(0).join('\n');
    };
    const file = join(site.cloudFolder, 'export.json');
    expect(await carillon('export', site.domain, file, '--device', OTHER)).toBe(`Everything is in ${file}.`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ complete: true, deviceId: OTHER });
    const erased = await carillon('erase', site.domain, '--device', OTHER, '--keep-device');
    expect(erased).toMatch(/^Removed: control plane .*1 session/);
    expect(await ask('GET', `/provisioning/device/${site.domain}/${OTHER}`)).toMatchObject({ status: 200 });
    expect(await carillon('list', site.domain)).toContain('erasure  done');
  });
});
