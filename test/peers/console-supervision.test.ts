import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMachine } from '#test/cloud/io/machine.ts';
import { type ConsoleBrowser, DOMAIN, openConsoleBrowser } from './support/console-browser.ts';

/** A text that would be a script, were it ever taken for markup. */
const SCRIPT = '<img src=x onerror="document.title=1">';
const ALARM = '01jd0000000000000000000001';

let open: ConsoleBrowser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-supervision-'));
  open = await openConsoleBrowser();
  const { claimCode } = await open.call('POST', `/site/${DOMAIN}/north/claim`, {});
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  await open.call('POST', '/edge/v1/claim', { claimCode, hostId: 'gw-1', csr, sealKey, version: '0.1.0' });
  await happened();
});
afterAll(async () => {
  await open?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** Into the field of this label. */
const write = (label: string, text: string) =>
  open.page.locator(`::-p-xpath(//label[contains(., "${label}")]/input)`).fill(text);

/** Rows that no host of this cloud has sent: alarms, the notification of one of them, an event whose time was worked out. */
async function happened(): Promise<void> {
  // The control plane writes in this very process: whoever waits here for its transaction waits for ever.
  const db = new Database(join(open.cloud.folder, 'cloud.db'), { timeout: 0 });
  const isFree = (): boolean => {
    try {
      db.exec('BEGIN IMMEDIATE');
      return true;
    } catch {
      return false;
    }
  };
  await vi.waitUntil(isFree, { timeout: 30_000 });
  const { uid, tenant } = db.prepare('SELECT uid, tenant FROM host').get() as Record<string, string>;
  const now = Date.now();
  const alarm = db.prepare(
    `INSERT INTO site_alarm (id, tenant, site_id, uid, error, service, status, raised_at, told_at, details, late)
     VALUES (?, ?, 'north', ?, ?, '', 'active', ?, ?, ?, ?)`,
  );
  const details = (message: string, more = {}) =>
    JSON.stringify({ message, severity: 'major', hostId: 'gw-1', ...more });
  alarm.run(
    ALARM,
    tenant,
    uid,
    'noHeartbeatReply',
    now - 60_000,
    now,
    details('=it is silent', { condition: 'unstable' }),
    0,
  );
  alarm.run(
    '01jd0000000000000000000002',
    tenant,
    uid,
    'lowMemory',
    now - 5_000,
    0,
    details('80 MB left', { suppressed: 4 }),
    1,
  );
  db.prepare(
    `INSERT INTO relay (id, tenant, body, state, created_at, not_before, deadline, attempts, refusals, alarm, code, took_ms, settled_at)
     VALUES ('01jr0000000000000000000001', ?, '{"errorDetails":{"status":"raised"}}', 'done', 1, 1, 1, 2, 0, ?, 204, 38, ?)`,
  ).run(tenant, ALARM, now);
  db.prepare(
    `INSERT INTO site_event (id, tenant, site_id, uid, lane, seq, boot, epoch, type, at, received_at, late, body)
     VALUES ('01je0000000000000000000001', ?, 'north', ?, 'alarm', 1, 1, 1, 'alarmReceived', ?, ?, 1, ?)`,
  ).run(
    tenant,
    uid,
    now - 7_200_000,
    now,
    JSON.stringify({ data: { deviceId: 'd-1' }, mono: 1, estimated: true }),
  );
  db.exec('COMMIT');
  db.close();
}

describe('alarms in the console', () => {
  it('stand by cause, say what is unusual, and are found by their words', async () => {
    await open.press('Incidents');
    await open.sees('maintenance: not notified');
    await open.sees('late');
    await open.sees('4 changes before it suppressed');
    await open.sees('A host does not answer');
    await open.misses('noHeartbeatReply');
    await open.page.locator('input[type=search]').fill('silent');
    await open.misses('A host has little memory left');
    await open.page.locator('input[type=search]').fill('nothing like this');
    await open.sees('No incident in this state matches the search.');
    await open.page.locator('input[type=search]').fill(' ');
    await open.sees('A host has little memory left');
  });

  it('are saved whole, without anything that a spreadsheet would run', async () => {
    const session = await open.page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await open.press('Save as CSV');
    let name: string | undefined;
    await expect
      .poll(() => (name = readdirSync(folder).find((each) => each.endsWith('.csv'))), { timeout: 30_000 })
      .toBeDefined();
    const text = readFileSync(join(folder, name ?? ''), 'utf8');
    expect(text.split('\r\n')).toHaveLength(4);
    expect(text).toContain(`"'=it is silent"`);
    expect(text).toContain('"no: maintenance"');
  });

  it('show that their tenant was notified, take a remark as text, and are acknowledged', async () => {
    await open.press('=it is silent');
    await open.sees('Runbook');
    await open.sees('Power and network first');
    await open.sees('204 in 38 ms');
    // A connection that flaps: how often it was lost, and how many losses were not notified.
    await open.sees('Connection');
    await open.sees('steady');
    await open.page.locator('dialog .line input').fill(SCRIPT);
    // The heading above the comments has the same word.
    await open.page.locator('dialog .line button').click();
    await open.sees(SCRIPT);
    await open.page.locator('dialog .act button:not(.plain)').click();
    await open.sees('Acknowledged');
    await open.closeDialog();
    expect(await open.call('GET', `/site/${DOMAIN}/alarm/${ALARM}`)).toMatchObject({
      alarm: { status: 'acknowledged', notes: [{ text: SCRIPT }] },
    });
  });
});

describe('the log in the console', () => {
  it('writes "~" before a time that was worked out', async () => {
    await open.press('Log');
    await open.sees('Alarm received');
    expect(await open.page.$eval('tbody time', ({ textContent }) => textContent)).toBe('~2 h ago');
    await open.page.locator('input[name=deviceId]').fill('nobody');
    await open.press('Find');
    await open.sees('No match');
  });
});

describe('the service of a host in the console', () => {
  it('opens a maintenance window, which is in sight until it is ended', async () => {
    await open.visit('fleet/north%2Fgw-1');
    await open.press('Service');
    await open.page.locator('main section ::-p-text(Open a maintenance window)').wait();
    await write('Description of the work', 'new memory');
    await open.press('Open a maintenance window');
    await open.sees('Maintenance of north / gw-1');
    const listed = await open.call('GET', `/site/${DOMAIN}/maintenance`);
    expect(listed).toMatchObject({ windows: [{ state: 'open', hostId: 'gw-1', reason: 'new memory' }] });
    await open.press('Fleet');
    await open.press('End it now');
    await open.misses('Maintenance of north / gw-1');
    expect(await open.call('GET', `/site/${DOMAIN}/maintenance`)).toMatchObject({
      windows: [{ state: 'ended' }],
    });
  });

  it('gives it other labels', async () => {
    await open.press('gw-1');
    await open.press('Service');
    await write('Labels, by comma', 'room=b, svc=media');
    await open.press('Set labels');
    await open.sees('svc=media');
    await expect
      .poll(() => open.call('GET', `/site/${DOMAIN}/north/host/gw-1`), { timeout: 30_000 })
      .toMatchObject({ host: { labels: ['room=b', 'svc=media'] } });
    await open.press('Diagnosis');
    await open.press('Look');
    await open.sees('no management connection');
  });
});

describe('a refused revision in the console', () => {
  it('names the place in the document, and shows what the host has and would have', async () => {
    const bridge = {
      protocol: 'scaip',
      name: 'East',
      destinationMatch: '^east$',
      callbackBaseUrl: 'https://arc.example/callback',
      restAuthentication: [{ sub: 'carillon', secret: 'not-shown-either', type: 'HS256' }],
    };
    const { id } = await open.call('POST', `/provisioning/alarmbridge/${DOMAIN}`, bridge);
    const db = new Database(join(open.cloud.folder, 'cloud.db'), { timeout: 0 });
    const { uid, tenant } = db.prepare('SELECT uid, tenant FROM host').get() as Record<string, string>;
    const { rev } = db
      .prepare("SELECT rev FROM scope_revision WHERE scope = 'tenant' AND owner = ?")
      .get(tenant) as { rev: number };
    await open.call('PUT', `/provisioning/alarmbridge/${DOMAIN}/${String(id)}`, {
      ...bridge,
      destinationMatch: '^eastern$',
    });
    const errors = [
      { code: 'portTaken', path: `/alarmbridge/${String(id)}/destinationMatch`, msg: 'refused here' },
    ];
    const refusals = { tenant: { rev: rev + 1, errors, at: Date.now() } };
    const facts = { good: true, kept: { platform: 1, tenant: rev, site: 1, host: 1 } };
    // No host of this cloud has said so: a real one refuses nothing that the control plane has let pass.
    const said = db.prepare(
      'UPDATE host_status SET rev_tenant = ?, nacked = ?, refusals = ?, facts = ? WHERE uid = ?',
    );
    const values = [
      JSON.stringify({ tenant: rev + 1 }),
      JSON.stringify(refusals),
      JSON.stringify(facts),
      uid,
    ];
    const isWritten = (): boolean => {
      try {
        return said.run(rev, ...values).changes === 1;
      } catch {
        return false;
      }
    };
    await expect.poll(isWritten, { timeout: 30_000 }).toBe(true);
    db.close();
    await open.visit('fleet/north%2Fgw-1');
    await open.page.locator('main ::-p-text(Last heard of)').wait();
    await open.page.locator('main button ::-p-text(Configuration)').click();
    await open.sees('refused here');
    await open.sees(`/alarmbridge/${String(id)}/destinationMatch`);
    await open.press('Show differences');
    await open.page.waitForSelector('main tr.named');
    const cells = await open.page.$$eval('main tr.named td', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(cells).toEqual(['/destinationMatch refused', '^east$', '^eastern$']);
    expect(await open.page.$eval('main', ({ textContent }) => textContent)).not.toContain('not-shown-either');
    await open.call('DELETE', `/provisioning/alarmbridge/${DOMAIN}/${String(id)}`);
  });
});

describe('drafts in the console', () => {
  it('are compared with the fields in service, one by one, and are promoted', async () => {
    const bridge = {
      protocol: 'scaip',
      name: 'North',
      destinationMatch: '^north$',
      callbackBaseUrl: 'https://arc.example/callback',
      restAuthentication: [{ sub: 'carillon', secret: 'not-shown', type: 'HS256' }],
    };
    const all = `/provisioning/alarmbridge/${DOMAIN}`;
    const { id } = await open.call('POST', `${all}?provisory=true`, bridge);
    await open.call('POST', `${all}?provisory=true`, {
      ...bridge,
      name: 'South',
      destinationMatch: '^south$',
    });
    const undescribed = { ...bridge, name: 'West', destinationMatch: '^west$', protocol: 'rb2000' };
    await open.call('POST', all, undescribed);
    await open.press('Alarm receivers');
    await open.sees('no public description; the profile must be completed');
    await open.press('Alarm receiver North (new)');
    await open.sees('/destinationMatch');
    expect(await open.page.$eval('main', ({ textContent }) => textContent)).not.toContain('not-shown');
    await open.press('Promote it');
    await expect
      .poll(() => open.call('GET', `${all}/${id}`), { timeout: 30_000 })
      .toMatchObject({ alarmbridge: { name: 'North' } });
    await open.misses('Alarm receiver North (new)');
    await open.sees('Alarm receiver South (new)');
  });
});

describe('devices from a file in the console', () => {
  it('say each reason once, however many rows it refuses', async () => {
    await open.press('Devices');
    await open.press('Import from CSV');
    const file = join(folder, 'many.csv');
    const rows = Array.from({ length: 40 }, (_, at) => `bed-${at},nothing,negotiated\n`).join('');
    writeFileSync(file, `deviceId,authType,srtp\n${rows}`);
    const [chooser] = await Promise.all([
      open.page.waitForFileChooser(),
      open.page.locator('input[type=file]').click(),
    ]);
    await chooser.accept([file]);
    await open.press('Look at it first');
    await open.sees('0 of 40 devices would be in.');
    await open.sees('and 35 further rows');
    expect(await open.page.$$eval('dialog tbody tr', (all) => all.length)).toBe(1);
    await open.closeDialog();
  });

  it('are looked at first, refused by row with a file of the reasons, and then taken', async () => {
    await open.visit('device');
    await open.press('Import from CSV');
    const choose = async (text: string) => {
      const file = join(folder, 'devices.csv');
      writeFileSync(file, text);
      const [chooser] = await Promise.all([
        open.page.waitForFileChooser(),
        open.page.locator('input[type=file]').click(),
      ]);
      await chooser.accept([file]);
    };
    await choose('deviceId,authType,srtp\nroom-1,deviceid,negotiated\nroom-2,nothing,negotiated\n');
    await open.press('Look at it first');
    await open.sees('1 of 2 devices would be in.');
    expect(await open.page.$$eval('dialog button[disabled]', (all) => all.length)).toBe(1);
    const session = await open.page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await open.press('Save the refused rows as a file');
    const refused = join(folder, 'devices-refused.csv');
    await expect.poll(() => existsSync(refused), { timeout: 30_000 }).toBe(true);
    const [head, first, ...more] = readFileSync(refused, 'utf8').trimEnd().split('\r\n');
    expect([head, ...more]).toEqual(['"row","reason"']);
    expect(first).toMatch(/^"2","/);
    await choose('deviceId,authType,srtp\nroom-1,deviceid,negotiated\nroom-2,deviceid,negotiated\n');
    await open.misses('1 of 2');
    await open.press('Look at it first');
    await open.press('Import 2 devices');
    await open.sees('2 of 2 devices are in.');
    await open.closeDialog();
    await open.sees('room-2');
  });
});
