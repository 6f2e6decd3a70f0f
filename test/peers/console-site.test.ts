import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import type { Line } from '#appliance/simulator/index.ts';
import { openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { DEMO_OPERATOR, DEMO_SITE } from '#installer/step/demo-tenant.ts';
import type { HostDetail } from '#shared/contract/site/index.ts';
import { openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';
import { buildConsole } from '../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from './support/console-browser.ts';

/*
 * The console over two real hosts, each program a process of its own:
 *
 *   Chromium ─▶ cloud ─ MQTT ─▶ host one ◀─ link ─▶ host two        telephone ─ SIP ─▶ host one
 */
const WITHIN_MS = 60_000;

let pair: SitePair;
let one: PairHost;
let open: SignedIn;
let folder: string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-site-'));
  pair = await openSitePair();
  [one] = pair.hosts;
  const owner = readFileSync(join(dirname(one.folder), 'cloud', 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: pair.api, owner, domain: pair.domain });
});
afterAll(async () => {
  for (const end of ends.splice(0)) await end();
  await open?.close();
  await pair?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const goto = (fragment: string) => open.page.goto(`${pair.api}/console/#/${fragment}`);
const toHost = async (hostId: string) => {
  await goto('device');
  await goto(`fleet/${DEMO_SITE}%2F${hostId}`);
};
/** Waits until the page says it, as long as a host needs. */
const sees = (text: string) =>
  open.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
/** The button of this name in the dialog, or in the page. */
const pressIn = (label: string, place = 'dialog') =>
  open.page.locator(`${place} ::-p-xpath(//button[. = "${label}"])`).click();
const pressOn = (label: string) => pressIn(label, 'main');
const detailOf = async ({ hostId }: PairHost): Promise<HostDetail> => {
  const answer = await open.call('GET', `/site/${pair.domain}/${DEMO_SITE}/host/${hostId}`);
  return answer.host as HostDetail;
};
const eventually = (host: PairHost, expected: object) =>
  expect.poll(() => detailOf(host), { timeout: WITHIN_MS }).toMatchObject(expected);

/** A call through a host, as long as no party hangs up. */
async function callThrough(host: PairHost): Promise<Line> {
  const { telephone, close } = await openTelephone({
    to: `127.0.0.1:${host.sipPort}`,
    transport: 'udp',
    domain: pair.domain,
    user: 'operator',
    password: 'for telephones',
    policy: { ...ORDINARY_POLICY, profile: 'alarm', srtp: 'never' },
  });
  ends.push(close);
  const registered = await telephone.register(600);
  if (!registered.ok) throw new Error(registered.error.reason);
  return await new Promise((resolve, reject) => {
    telephone.call('switchboard', { answered: resolve, ended: (_, reason) => reject(new Error(reason)) });
  });
}

describe('a site of two hosts in the console', { timeout: 180_000 }, () => {
  it('is drawn with who sees whom, who leads, and which of them it was first', async () => {
    await eventually(one, { lifecycle: 'active', peers: { two: 'ok' }, roles: ['leader'] });
    await open.press('Fleet');
    await open.press('Demo site');
    await sees('one leads.');
    await sees('one and two see each other.');
    const drawn = await open.page.$eval('svg[role=img]', (svg) => svg.getAttribute('aria-label'));
    expect(drawn).toBe('Hosts of demo. one and two see each other.');
    await sees('one has the lead');
    const rows = await open.page.$$eval('main tbody tr', (all) => all.map(({ textContent }) => textContent));
    expect(rows.some((row) => row?.includes('sees two'))).toBe(true);
  });

  it('shows the log of a host as it is written, each line once, and notes it once', async () => {
    await toHost('one');
    await pressOn('Diagnosis');
    await pressOn('Follow the log');
    await open.page.waitForSelector('[role=log] p');
    await open.page.waitForSelector('[role=log] time');
    // Something that it writes now, and again when the line before has long been shown.
    for (const times of [1, 2]) {
      await pressOn('Renew its certificate');
      await open.page.waitForFunction(
        `document.querySelector('[role=log]')?.innerText.split('certificate.renewed').length > ${times}`,
        { timeout: WITHIN_MS },
      );
    }
    const shown = await open.page.$$eval('[role=log] p', (all) => all.map(({ textContent }) => textContent));
    expect(shown.filter((line) => line?.includes('certificate.renewed'))).toHaveLength(2);
    // Each has the moment it was written, to the millisecond.
    expect(shown.filter((line, index) => shown.indexOf(line) !== index)).toEqual([]);
    await pressOn('Stop');
    await pressOn('Audit');
    await open.page.waitForSelector('main summary ::-p-text(log read)');
    const entries = await open.page.$$eval('main summary', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(entries.filter((entry) => entry === 'log read')).toHaveLength(1);
    expect(entries).toContain('certificate renewed');
  });

  it('has its last known good revisions next to the applied ones', async () => {
    await expect
      .poll(
        async () => {
          const { kept, applied } = (await detailOf(one)).revisions;
          return JSON.stringify(kept) === JSON.stringify(applied);
        },
        { timeout: WITHIN_MS },
      )
      .toBe(true);
    const { revisions } = await detailOf(one);
    await pressOn('Configuration');
    await sees('the host returns to it');
    const cells = await open.page.$$eval('main tbody tr:first-child td', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(cells.slice(0, 4)).toEqual(['tenant', ...Array(3).fill(String(revisions.applied.tenant))]);
  });

  it('says who is registered at it, from where and by what', async () => {
    const phone = await openTelephone({
      ...{ to: `127.0.0.1:${one.sipPort}`, transport: 'udp', domain: pair.domain, user: DEMO_OPERATOR },
      ...{ password: 'for telephones', policy: ORDINARY_POLICY },
    });
    ends.push(phone.close);
    expect((await phone.telephone.register(300)).ok).toBe(true);
    await pressOn('Diagnosis');
    await pressOn('Show');
    await sees('1 of 1.');
    const cells = await open.page.$$eval('main tbody tr:first-child td', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(cells).toEqual(
      expect.arrayContaining([DEMO_OPERATOR, expect.stringContaining('127.0.0.1'), 'UDP']),
    );
    await open.page.locator('main input[placeholder="all"]').fill('nobody');
    await pressOn('Show');
    await sees('None of the 1 that are registered.');
    expect((await phone.telephone.register(0)).ok).toBe(true);
  });

  it('is drained by a wizard that names its effect, shows how far it is, and is undone from there', async () => {
    const line = await callThrough(one);
    await eventually(one, { calls: 1 });
    await toHost('one');
    await pressOn('Service');
    await sees('1 call running; it is finished first.');
    const names = Object.keys((await detailOf(one)).services);
    await sees(`${names.length} services (${names.join(', ')}) move to two.`);
    await sees('New calls and alarms go to two.');
    await pressOn('Drain one');
    await sees('1 call and 0 calls of alarms left');
    await sees('is ready at two');
    await eventually(one, { lifecycle: 'draining' });
    // The same on the page of the site, with the way back.
    await goto(`site/${DEMO_SITE}`);
    await sees('Drain of one');
    await open.page.locator('main ::-p-xpath(//button[. = "Put it back into service"])').click();
    await eventually(one, { lifecycle: 'active' });
    await open.page.waitForFunction("!document.body.innerText.includes('Drain of one')", {
      timeout: WITHIN_MS,
    });
    line.hangUp();
    await eventually(one, { calls: 0, operation: { state: 'done' } });
  });

  it('says of a drained host where its lead went, and takes it back', async () => {
    await toHost('one');
    await pressOn('Service');
    await pressOn('Drain one');
    await sees('it takes no calls and no alarms');
    await goto(`site/${DEMO_SITE}`);
    await sees('Only two is in service: no other host could take over.');
    await sees('two has the lead: one gave it up, by a drain, a fault or a stop.');
    await toHost('one');
    await pressOn('Put it back into service');
    await eventually(one, { lifecycle: 'active', roles: ['leader'] });
    // The host that lost it reports it when the loss has stood: before, the next failover would be no change to it.
    await expect
      .poll(() => open.call('GET', `/site/${pair.domain}/${DEMO_SITE}/history?limit=2`), {
        timeout: WITHIN_MS,
      })
      .toMatchObject({
        turns: expect.arrayContaining([expect.objectContaining({ hostId: 'two', cause: 'takenBy' })]),
      });
  });

  it('has the failover in its history when a host dies, with its reason', async () => {
    await one.process.kill();
    await goto(`site/${DEMO_SITE}`);
    await sees('two has the lead: one did not answer any more. It delivers what one left behind.');
    await sees('one dead');
    await sees('two leads.');
    await one.process.start();
    await sees('one and two see each other.');
  });
});

describe('personal data in the console', { timeout: 120_000 }, () => {
  it('is collected from the control plane and every host, and saved as a file', async () => {
    const session = await open.page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await open.press('Personal data');
    await open.page.locator('::-p-xpath(//label[contains(., "Device, as it is")]/input)').fill('scaip-0001');
    await open.press('Collect it');
    await open.page.waitForSelector('dialog progress');
    await open.page.waitForSelector('dialog ::-p-xpath(//button[. = "Save"])', { timeout: WITHIN_MS });
    await pressIn('Save');
    let name: string | undefined;
    await expect
      .poll(() => (name = readdirSync(folder).find((each) => each.endsWith('.json'))), { timeout: 30_000 })
      .toBeDefined();
    const document = JSON.parse(readFileSync(join(folder, name ?? ''), 'utf8')) as Record<string, unknown>;
    expect(document).toMatchObject({ complete: true, deviceId: 'scaip-0001' });
    expect(document.hosts).toHaveLength(2);
    await open.closeDialog();
  });

  it('is erased only when it was named twice, and then no trace of its person is left', async () => {
    await open.press('Erasure');
    const write = (label: string, text: string) =>
      open.page.locator(`::-p-xpath(//label[contains(., "${label}")]/input)`).fill(text);
    await write('Device, as it is', 'scaip-0002');
    await write('again to confirm', 'scaip-0001');
    const isShut = () =>
      open.page.$eval(
        'main button.danger',
        (button) => (button as unknown as { disabled: boolean }).disabled,
      );
    expect(await isShut()).toBe(true);
    await write('again to confirm', 'scaip-0002');
    await open.press('Erase for good');
    await open.page.waitForFunction(
      "document.querySelector('dialog')?.innerText.includes('a person whose name is erased')",
      { timeout: WITHIN_MS },
    );
    await expect
      .poll(() => open.call('GET', `/provisioning/device/${pair.domain}/scaip-0002`), { timeout: WITHIN_MS })
      .toMatchObject({ success: false });
  });
});
