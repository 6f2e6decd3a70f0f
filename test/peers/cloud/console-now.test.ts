import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPhone, simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';

/*
 * Overview, deliveries, a new device, its personal data, the configuration of a record and tone lines in Chromium over a real
 * site, each program a process of its own; the console asks the real API, and the API the real host:
 *
 *   Chromium ─▶ cloud ─ MQTT ─▶ host ◀─ SCAIP ─ simulator        host ─ callbacks ─▶ application, which goes away
 */
const WITHIN_MS = 90_000;
/** The reason of a call to a number that leads nowhere. */
const FAILED = { en: 'The call was refused', sv: 'Samtalet avvisades' } as const;

let site: Site;
let open: SignedIn;
beforeAll(async () => {
  await buildConsole();
  site = await openSite({ alarmAction: 'drop' });
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain });
});
afterAll(async () => {
  await open?.close();
  await site?.close();
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const sees = (text: string) =>
  open.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
const misses = (text: string) =>
  open.page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
const alarms = (count: number, device = 'scaip-0001', password?: string) =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device, password },
    ...{ count, rate: 2, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
const visit = (address: string) => open.page.goto(`${site.api}/console/${address}`);
const button = (label: string) =>
  open.page.locator(`main ::-p-xpath(//button[normalize-space(.) = "${label}"])`);
const field = (label: string) =>
  open.page.locator(`main ::-p-xpath(//label[contains(., "${label}")]//input)`);
/** Waits until the host has the configuration of this moment: what is sent before meets the one of earlier. */
async function reached(): Promise<void> {
  const headers = { authorization: `Bearer ${site.token}` };
  const whole = await fetch(`${site.api}/provisioning/configuration/${site.domain}`, { headers });
  // Its tag is the revision of the tenant.
  const revision = Number(/\d+/.exec(whole.headers.get('ETag') ?? '')?.[0]);
  const reach = async () =>
    (await open.call('GET', `/site/${site.domain}/revision/${revision}?wait=5`)).reach;
  await expect.poll(reach, { timeout: WITHIN_MS }).toMatchObject({ reached: true });
}
const recordsOf = async (deviceId: string) =>
  (await open.call('GET', `/record/${site.domain}?kind=alarm&deviceId=${deviceId}`)).records as readonly {
    readonly recordId: string;
    readonly result: string;
    readonly reason?: string;
    readonly configRevision: number;
  }[];

describe('the overview', { timeout: 240_000 }, () => {
  it('is the first page, and leads a new tenant to its first alarm', async () => {
    expect(new URL(open.page.url()).pathname).toBe('/console/overview');
    await sees('The way to the first alarm');
    await sees('No session in the last seven days');
    await sees('All are online.');
  });

  it('shows an alarm of a device by itself, and no longer needs the link to the first one', async () => {
    await alarms(1);
    await sees('Median of 1 alarm in 24 hours');
    await misses('The way to the first alarm');
    const row = await open.page.$eval('table.newest tbody tr', (found) => found.textContent);
    expect(row).toContain('scaip-0001');
    await open.page.waitForFunction(
      "[...document.querySelectorAll('.hours rect.alarms')].some((bar) => bar.getBoundingClientRect().height > 10)",
      { timeout: WITHIN_MS },
    );
    await sees('have no supervision.');
  });

  it('has its range in the address', async () => {
    await open.press('7 days');
    await open.page.waitForFunction("location.search === '?range=week'");
    await open.page.waitForFunction("document.querySelectorAll('.hours g').length === 168", {
      timeout: WITHIN_MS,
    });
  });
});

describe('deliveries', { timeout: 240_000 }, () => {
  it('say in words why an application does not accept, and what waits', async () => {
    await site.stopApplication();
    await alarms(2);
    await open.press('Deliveries');
    await sees('No program listens at this address.');
    await open.page.locator('table.deliveries tbody a').click();
    await open.page.locator('dialog ::-p-text(Not delivered)').wait();
    await open.page.locator('dialog ::-p-text(waiting)').wait();
    await open.closeDialog();
    await site.startApplication();
  });
});

describe('the list of alarms and calls', { timeout: 240_000 }, () => {
  it('says why a session did not go well, in the language of the person', async () => {
    const made = await open.call('PUT', `/provisioning/device/${site.domain}`, {
      ...{ deviceId: 'phone-9', authType: 'credentials', srtp: 'negotiated', deviceType: 'sipDevice' },
    });
    expect(made).toMatchObject({ success: true, password: expect.any(String) });
    await reached();
    const phone = await openPhone({
      ...{ to: site.sip, transport: 'udp', domain: site.domain, user: 'phone-9', srtp: 'never', says: {} },
      password: String(made.password),
    });
    await phone.call('nowhere', 0);
    await phone.close();
    const calls = async () => (await open.call('GET', `/record/${site.domain}?kind=call`)).records;
    await expect.poll(calls, { timeout: 30_000 }).toMatchObject([{ result: 'refused' }]);
    const said = (row: string) => open.page.waitForSelector(`[role="row"] ::-p-text(${row})`);
    await visit('record?kind=call');
    await said(FAILED.en);
    await open.page.evaluate("localStorage.setItem('carillon.language', 'sv')");
    await open.page.reload();
    await said(FAILED.sv);
    await open.page.evaluate("localStorage.setItem('carillon.language', 'en')");
  });
});

describe('a new device', { timeout: 240_000 }, () => {
  it('is led from nothing to its first alarm, which is watched live', async () => {
    await visit('device-wizard');
    await sees('It takes the alarms of the device');
    await field('Id of the device').fill('room-7');
    await button('Create the device').click();
    await sees('Waiting for the device.');
    const command = await open.page.$eval('main pre', ({ textContent }) => textContent);
    expect(command).toContain('--receiver scaip --device room-7 --password');
    const password = /--password '([^']+)'/.exec(command ?? '')?.[1];
    await reached();
    await alarms(1, 'room-7', password);
    await sees('The alarm of the device has arrived, and your application has taken it.');
    await open.page.locator('main a ::-p-text(room-7)').click();
    await open.page.waitForFunction("location.pathname === '/console/device/room-7'");
  });
});

describe('personal data', { timeout: 240_000 }, () => {
  const done = async (kind: string): Promise<void> => {
    await open.page.waitForFunction("location.pathname.startsWith('/console/privacy/')", {
      timeout: WITHIN_MS,
    });
    const jobId = new URL(open.page.url()).pathname.split('/').at(-1);
    const job = async () =>
      (await open.call('GET', `/provisioning/personaldata/${site.domain}/${jobId}`)).job;
    await expect.poll(job, { timeout: WITHIN_MS }).toMatchObject({ kind, state: 'done' });
  };

  it('are found by device, with the days for which they are kept, before they are exported', async () => {
    await visit('privacy');
    await field('Id of the device').fill('room-7');
    await button('Find').click();
    await sees('Sessions: 1, recordings: 0.');
    await sees('The device room-7 is provisioned.');
    await sees('730 days');
    expect(new URL(open.page.url()).search).toBe('?deviceId=room-7');
    await button('Collect it').click();
    await done('export');
    await open.page.locator('dialog ::-p-xpath(//button[. = "Save"])').wait();
    await open.closeDialog();
  });

  it('are erased for a device once its name was typed twice, and are found no more', async () => {
    await visit('privacy?deviceId=room-7');
    await sees('Sessions: 1, recordings: 0.');
    await button('Erasure').click();
    await open.page.waitForSelector('main ::-p-xpath(//button[. = "Erase for good"][@disabled])');
    await field('Type room-7 again to confirm').fill('room-7');
    await button('Erase for good').click();
    await done('erasure');
    await open.closeDialog();
    await visit('privacy?deviceId=room-7');
    await sees('The control plane has no session of it.');
    expect(await open.call('GET', `/provisioning/device/${site.domain}/room-7`)).toMatchObject({
      error: { code: 'notFound' },
    });
  });
});

describe('the configuration of a record', { timeout: 240_000 }, () => {
  it('is compared with the last good session of the device, and with today', async () => {
    await reached();
    const before = (await recordsOf('scaip-0001')).length;
    await alarms(1);
    const newest = async () => (await recordsOf('scaip-0001'))[0];
    await expect
      .poll(async () => (await recordsOf('scaip-0001')).length, { timeout: WITHIN_MS })
      .toBe(before + 1);
    await expect.poll(newest, { timeout: WITHIN_MS }).toMatchObject({ result: 'done' });
    const { alarmbridges } = await open.call('GET', `/provisioning/alarmbridge/${site.domain}`);
    const [scaip] = (alarmbridges as { readonly id: string; readonly protocol: string }[]).filter(
      ({ protocol }) => protocol === 'scaip',
    );
    await open.call('PATCH', `/provisioning/alarmbridge/${site.domain}/${scaip?.id}`, {
      description: 'Before the night shift',
    });
    await reached();
    await alarms(1);
    await expect
      .poll(async () => (await recordsOf('scaip-0001')).length, { timeout: WITHIN_MS })
      .toBe(before + 2);
    const record = await newest();
    await visit(`record/${record?.recordId}`);
    await sees(`Configuration revision ${record?.configRevision}`);
    await sees('Last good session');
    // The steps of the host stand above: once they are there, nothing moves under the pointer any more.
    await misses('Asking the hosts of the site…');
    await open.page.locator('#configuration summary ::-p-text(alarmbridge)').click();
    await sees('Before the night shift');
    await open.page.locator('#configuration ::-p-xpath(//button[. = "Changes until today"])').click();
    await sees('Nothing has changed since this session.');
  });
});

describe('an event map', { timeout: 240_000 }, () => {
  const named = (name: string) => open.page.locator(`main [name="${name}"]`);
  const isAt = (path: string) =>
    open.page.waitForFunction(`location.pathname === '/console/${path}'`, { timeout: WITHIN_MS });
  const receiver = async () => {
    const { alarmbridges } = await open.call('GET', `/provisioning/alarmbridge/${site.domain}`);
    const all = alarmbridges as { readonly id: string; readonly name: string; readonly protocol: string }[];
    const found = all.find(({ protocol }) => protocol === 'scaip');
    if (found === undefined) throw new Error('the site has a receiver of SCAIP');
    return { ...found, path: `/provisioning/alarmbridge/${site.domain}/${found.id}` };
  };

  it('is written on its page, tried on alarms that came, and stored', async () => {
    const { id, name, path } = await receiver();
    await visit('event-map');
    await sees('No event map yet');
    await open.page.locator(`main td a ::-p-text(${name})`).click();
    await isAt(`event-map/bridge/${id}`);
    await open.page.locator('main summary::-p-text(Custom event map)').click();
    await button('Add one').click();
    await named('when').fill('{"alarmEvent.eventType":"common"}');
    await named('path').fill('/fall');
    await sees('rule 1');
    await sees('sent to /fall');
    await button('Look closer').click();
    await open.page.waitForFunction(
      `document.querySelector('.map-trial textarea')?.value.includes('"sipFrom": "scaip-0001"')`,
      { timeout: WITHIN_MS },
    );
    await sees('The control plane would take it.');
    await button('Save').click();
    await isAt('event-map');
    await sees('1 rule');
    expect((await open.call('GET', path)).alarmbridge).toMatchObject({
      customEventMap: { rules: [{ when: { 'alarmEvent.eventType': 'common' }, path: '/fall' }] },
    });
    await open.call('PATCH', path, [{ op: 'remove', path: '/customEventMap' }]);
  });

  it('names the receivers that use it at a sender, and its pattern is tried on callers', async () => {
    const { id, name, path } = await receiver();
    const senders = `/provisioning/alarmeventmapper/${site.domain}`;
    const made = await open.call('POST', senders, { name: 'Centre north', alarmHandling: 'drop' });
    await visit(`sender/${made.id}`);
    await sees('No object names it');
    await visit(`bridge/${id}`);
    await open.page.locator(`main select[name="alarmEventMapperId"] option[value="${made.id}"]`).wait();
    expect(await open.page.select('main select[name="alarmEventMapperId"]', String(made.id))).toEqual([
      made.id,
    ]);
    await sees('The control plane would take it.');
    await button('Save').click();
    await isAt('bridge');
    expect((await open.call('GET', path)).alarmbridge).toMatchObject({ alarmEventMapperId: made.id });
    await visit(`sender/${made.id}`);
    await open.page.locator(`.used-by a ::-p-text(${name})`).wait();
    await named('voiceCallSipFromUserMatch').fill('^(scaip)');
    await named('voiceCallSipFromUserRewrite').fill('new-$1');
    await sees('new-scaip-0001');
    await visit('event-map');
    const users = `main ::-p-xpath(//tr[contains(., "Centre north")]//a[. = "${name}"])`;
    await open.page.locator(users).click();
    await isAt(`bridge/${id}`);
    await open.call('PATCH', path, [{ op: 'remove', path: '/alarmEventMapperId' }]);
    await open.call('DELETE', `${senders}/${made.id}`);
  });
});

describe('the taker of a destination', { timeout: 240_000 }, () => {
  it('is asked for what was called lately, and as if all drafts were promoted', async () => {
    await visit('taker?with=drafts');
    await sees('Called lately');
    await open.page.locator('main li a ::-p-text(scaip)').click();
    await open.page.waitForFunction("location.pathname === '/console/taker/scaip'", { timeout: WITHIN_MS });
    await sees('takes scaip.');
  });
});

describe('tone lines', { timeout: 240_000 }, () => {
  it('are answered to a signed-in person by the host itself, and switch a receiver to what the host offers', async () => {
    const bridge = {
      protocol: 'multiprotocol',
      protocolMode: 'dtmf',
      name: 'Tones',
      destinationMatch: '^tones$',
    };
    const all = `/provisioning/alarmbridge/${site.domain}`;
    const { id } = await open.call('POST', all, bridge);
    await site.stopAppliance();
    // The file in which a host keeps its counts over a restart: forty calls that began badly.
    const sums = {
      ...{ kind: 'bridge', key: id, protocol: 'tt92', protocols: { tt92: 40 }, fits: { sumMod100: 40 } },
      ...{ calls: 40, firstTry: 20, retried: 20, failed: 0, requests: 160, badStrings: 0, digits: 900 },
      ...{ events: 1_000, level: -900 * 40, twist: 0, noise: 0, noisy: 0, lastMs: Date.now() },
    };
    writeFileSync(join(site.applianceFolder, 'handshake.json'), JSON.stringify({ version: 1, sums: [sums] }));
    await site.startAppliance();
    await open.press('Tone lines');
    // The host comes back to the control plane in its own time.
    await expect
      .poll(async () => {
        const answered = open.page.waitForResponse((answer) => answer.url().endsWith('/handshakes'));
        await open.page.reload();
        return (await answered).status();
      })
      .toBe(200);
    await sees('50%');
    for (const [label, expected] of [
      ['Switch to 2833', { toneSettings: { callerDtmfSendType: '2833' } }],
      ['Switch to tt92', { protocol: 'tt92' }],
      ['Switch to sumMod100', { protocolProfile: 'tt92-sumMod100' }],
    ] as const) {
      const stored = open.page.waitForResponse((each) => each.request().method() === 'PATCH');
      await open.press(label);
      expect((await stored).status()).toBe(200);
      expect(await open.call('GET', `${all}/${id}`)).toMatchObject({ alarmbridge: expected });
    }
  });
});
