import { readFileSync } from 'node:fs';
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
    await sees('Median of 1 alarms in 24 hours');
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
  it('are answered to a signed-in person by the host itself', async () => {
    const answered = open.page.waitForResponse((answer) => answer.url().endsWith('/handshakes'));
    await open.press('Tone lines');
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true, entries: [] });
    await sees('No calls yet');
  });
});
