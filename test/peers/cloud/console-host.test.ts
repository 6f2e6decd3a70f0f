import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { wavOf } from '#cloud/console/page/prompt/wav.ts';
import { DEMO_HOST, DEMO_SITE } from '#installer/step/demo-tenant.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';

/*
 * The page of a host, and the pages that set up profiles, prompts, keys and drafts, in Chromium over a real site; the console
 * asks the real API, and the API the real host:
 *
 *   Chromium ─▶ cloud ─ MQTT ─▶ host ◀─ SCAIP ─ simulator        host ─ signed callbacks ─▶ application
 */
const WITHIN_MS = 90_000;

let site: Site;
let open: SignedIn;
let folder: string;
beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-host-'));
  site = await openSite({ alarmAction: 'drop' });
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain });
}, 300_000);
afterAll(async () => {
  await open?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const waitFor = (inPage: string) => open.page.waitForFunction(inPage, { timeout: WITHIN_MS });
const sees = (text: string) => waitFor(`document.body.innerText.includes(${JSON.stringify(text)})`);
const misses = (text: string) => waitFor(`!document.body.innerText.includes(${JSON.stringify(text)})`);
const visit = (address: string) => open.page.goto(`${site.api}/console/${address}`);
const press = (label: string) =>
  open.page.locator(`main ::-p-xpath(//button[normalize-space(.) = "${label}"])`).click();
const write = (label: string, text: string) =>
  open.page
    .locator(`main ::-p-xpath(//label[contains(., "${label}")]//*[self::input or self::textarea])`)
    .fill(text);
const alarm = () =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 2, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
const records = async () =>
  (await open.call('GET', `/record/${site.domain}?kind=alarm`)).records as { readonly result: string }[];

/** Keys are made by a person who has signed in lately: this comes first. */
describe('keys of programs', { timeout: 300_000 }, () => {
  it('are made in the browser and rotated, both being accepted until the old one is removed', async () => {
    await visit('access');
    await write('Name of a new key', 'alarm centre');
    await press('Make a pair of keys');
    await sees('Its private part was made in this browser');
    expect(await open.page.$eval('main .notice pre', ({ textContent }) => textContent)).toContain(
      '-----BEGIN PRIVATE KEY-----',
    );
    await press('Rotate');
    await sees('The key before it, alarm centre, is still accepted');
    const { apikeys } = await open.call('GET', `/provisioning/apikey/${site.domain}`);
    expect(apikeys).toMatchObject([{ name: 'alarm centre' }, { name: 'alarm centre' }]);
  });
});

describe('the page of a host', { timeout: 300_000 }, () => {
  it('is where the address of the dialog of earlier leads', async () => {
    await visit(`#/fleet/${DEMO_SITE}%2F${DEMO_HOST}`);
    await sees('Contact of 30 days');
    expect(new URL(open.page.url()).pathname).toBe(`/console/host/${DEMO_SITE}/${DEMO_HOST}`);
    await sees('Reachable for 100% of the observed time, 0 outages.');
    await sees('Last heard of');
    const days = await open.page.$$eval('ol.day-strip li', (all) => all.map(({ className }) => className));
    expect(days).toEqual([...Array<string>(29).fill(''), 'good']);
  });

  it('has the alarms that the host took, and keeps its part in the address', async () => {
    await alarm();
    await press('Incidents and records');
    await sees('scaip-0001');
    await sees('None is known of this host.');
    expect(new URL(open.page.url()).search).toBe('?part=past');
    await open.page.reload();
    await sees('scaip-0001');
  });

  it('says what is wrong with a host that stopped, on its page and in the fleet, and shows the outage afterwards', async () => {
    await visit(`host/${DEMO_SITE}/${DEMO_HOST}`);
    await site.stopAppliance();
    await sees('No heartbeat arrives');
    await sees('Check power and network of the machine.');
    await sees('it lasts');
    await visit('fleet');
    await sees('No heartbeat arrives');
    await site.startAppliance();
    await misses('No heartbeat arrives');
    await visit(`host/${DEMO_SITE}/${DEMO_HOST}`);
    await sees('1 outage.');
    expect(await open.page.$$eval('ol.day-strip li.bad', (all) => all.length)).toBe(1);
  });
});

describe('protocol profiles', { timeout: 300_000 }, () => {
  it('teach what they are, are created, refused with the field, and kept with their history', async () => {
    await visit('profile');
    await sees('No protocol profile yet');
    await visit('profile/new');
    const field = (name: string) =>
      open.page.locator(
        `main ::-p-xpath((//label[normalize-space(.) = "${name}"]/following::*[self::input or self::select or self::textarea])[1])`,
      );
    await field('Name').fill('bs8521-slow');
    await field('Kind').fill('tone');
    await field('Extends').fill('bs8521');
    await field('Content').fill('{"collect":{"interDigitMs":900}}');
    await press('Save');
    await sees('bs8521-slow');
    expect(await open.call('GET', `/provisioning/protocolprofile/${site.domain}/bs8521-slow`)).toMatchObject({
      protocolprofile: { content: { collect: { interDigitMs: 900 } } },
    });
    await visit('profile/bs8521-slow');
    await sees('History');
  });
});

describe('prompts', { timeout: 300_000 }, () => {
  const second = Float32Array.from({ length: 8_000 }, (_, at) => Math.sin(at / 3) / 2);

  it('are uploaded, played and removed', async () => {
    const file = join(folder, 'welcome.wav');
    writeFileSync(file, wavOf(second, 8_000));
    await visit('prompt');
    await sees('No prompt yet');
    const input = (await open.page.waitForSelector(
      'main input[type=file]',
    )) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(file);
    await sees('welcome.wav is stored, and on its way to every site.');
    expect(await open.call('GET', `/mediaservice/${site.domain}/promptfile`)).toMatchObject({
      files: [{ name: 'welcome.wav', origin: 'upload', durationMs: 1_000 }],
    });
    await press('Hear it');
    await press('Listen');
    await open.page.waitForSelector('main audio');
    await press('Remove');
    await press('Remove welcome.wav from every site');
    await sees('No prompt yet');
  });

  it('are recorded with the microphone', async () => {
    await open.page.locator('main summary ::-p-text(Record it with the microphone)').click();
    await press('Begin');
    await sees('Recording: 1 s');
    await press('Stop');
    await open.page.waitForSelector('main audio');
    await write('Name of the prompt', 'notice');
    await press('Store it');
    await sees('notice.wav');
    expect(await open.call('GET', `/mediaservice/${site.domain}/promptfile`)).toMatchObject({
      files: [{ name: 'notice.wav', origin: 'upload' }],
    });
  });
  it('are replaced under their name, by a sound of the same kind alone', async () => {
    const choose = async (name: string) => {
      const file = join(folder, name);
      writeFileSync(file, wavOf(new Float32Array(16_000), 8_000));
      const input = (await open.page.waitForSelector(
        'main td input[type=file]',
      )) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(file);
    };
    await press('Replace');
    await choose('other.mp3');
    await sees('other.mp3 is of another kind than notice.wav.');
    await choose('other.wav');
    const stored = () => open.call('GET', `/mediaservice/${site.domain}/promptfile`);
    await expect
      .poll(stored, { timeout: WITHIN_MS })
      .toMatchObject({ files: [{ name: 'notice.wav', durationMs: 2_000 }] });
  });
});

describe('drafts', { timeout: 300_000 }, () => {
  it('stand on one page, and are promoted there', async () => {
    await visit('draft');
    await sees('No draft');
    const bridge = {
      ...{ protocol: 'scaip', name: 'Night desk', destinationMatch: '^night$' },
      ...{ callbackBaseUrl: 'https://arc.example/callback', restAuthentication: [] },
    };
    await open.call('POST', `/provisioning/alarmbridge/${site.domain}?provisory=true`, bridge);
    await visit('draft');
    await sees('Night desk');
    await open.page.locator('main summary ::-p-text(Night desk)').click();
    await press('Promote it');
    await sees('No draft');
    const { alarmbridges } = await open.call('GET', `/provisioning/alarmbridge/${site.domain}`);
    expect(alarmbridges).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Night desk' })]));
  });
});

describe('keys of callbacks', { timeout: 300_000 }, () => {
  it('are rotated without a callback that is lost', async () => {
    await visit('credential');
    const row = 'main ::-p-xpath(//tr[contains(., "Alarm receiver")][1]//button[. = "Rotate"])';
    await open.page.locator(row).click();
    await sees('-----BEGIN PUBLIC KEY-----');
    await sees('only where the one above is refused');
    const before = (await records()).length;
    // The application knows the old key alone: it refuses the new signature, and takes the second one.
    await alarm();
    await expect.poll(async () => (await records()).length, { timeout: WITHIN_MS }).toBe(before + 1);
    await expect.poll(async () => (await records())[0]?.result, { timeout: WITHIN_MS }).toBe('done');
    await open.page.locator('main ::-p-xpath(//button[. = "Remove the old ones"])').click();
    await misses('only where the one above is refused');
  });

  it('begin with the first one where callbacks have no signature yet', async () => {
    const bridge = { protocol: 'scaip', name: 'Unsigned', destinationMatch: '^unsigned$' };
    const { id } = await open.call('POST', `/provisioning/alarmbridge/${site.domain}`, {
      ...{ ...bridge, callbackBaseUrl: site.callbacks.callbackBaseUrl },
    });
    await visit('credential');
    await sees('no signature: anybody could send such a callback');
    const row = 'main ::-p-xpath(//tr[contains(., "Unsigned")]//button[. = "Sign with a new key"])';
    await open.page.locator(row).click();
    await sees('Unsigned signs its callbacks from its next revision on.');
    // Another receiver may still have none.
    const unsigned = 'main ::-p-xpath(//tr[contains(., "Unsigned")][contains(., "no signature")])';
    await expect.poll(async () => (await open.page.$(unsigned)) === null).toBe(true);
    expect(await open.call('GET', `/provisioning/alarmbridge/${site.domain}/${id}`)).toMatchObject({
      alarmbridge: { restAuthentication: [{ type: 'ES256' }] },
    });
  });
});
