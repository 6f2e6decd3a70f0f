import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';

/*
 * Overview, deliveries and tone lines in Chromium over a real site, each program a process of its own; the console asks the
 * real API, and the API the real host:
 *
 *   Chromium ─▶ cloud ─ MQTT ─▶ host ◀─ SCAIP ─ simulator        host ─ callbacks ─▶ application, which goes away
 */
const WITHIN_MS = 90_000;

let site: Site;
let open: SignedIn;
beforeAll(async () => {
  await buildConsole();
  site = await openSite({ alarmAction: 'drop' });
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain });
}, 180_000);
afterAll(async () => {
  await open?.close();
  await site?.close();
}, 60_000);
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const sees = (text: string) =>
  open.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
const misses = (text: string) =>
  open.page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
const alarms = (count: number) =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: 'scaip-0001' },
    ...{ password: undefined, count, rate: 2, deviceType: '0003', statusCode: '0010', trust: undefined },
  });

describe('the overview', { timeout: 240_000 }, () => {
  it('is the first page, and leads a new tenant to its first alarm', async () => {
    expect(new URL(open.page.url()).pathname).toBe('/console/overview');
    await sees('The way to the first alarm');
    await sees('No session in the last seven days');
    await sees('All are online.');
  });

  it('shows an alarm of a device by itself, and needs the way to the first one no more', async () => {
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
    expect(await open.page.$$eval('.hours g', (all) => all.length)).toBe(168);
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
    await sees('50 %');
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
