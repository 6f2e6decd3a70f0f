import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfTestTexts } from '#shared/self-test/index.ts';
import { Place } from '#test/bench/support/place.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { BROWSER_WAIT_MS } from './support/console-browser.ts';

const ENTRY = resolve(import.meta.dirname, '../../installer/carillon.ts');
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

const place = new Place();
let appliance: SiteProcess;
let folder: string;
let url: string;
let profile: string;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
  folder = place.folder();
  const [web = 0, sip = 0] = await freePorts('127.0.0.1', 2);
  url = `https://127.0.0.1:${web}/technician`;
  appliance = new SiteProcess({
    name: 'the appliance',
    command: [process.execPath, ENTRY, 'appliance'],
    environment: {
      CARILLON_DATA: folder,
      CARILLON_HOST_ID: 'box-7',
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TLS: '',
      CARILLON_DC09: '',
      CARILLON_COMMAND_QUEUE: '',
      CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
    },
    logFile: join(folder, 'appliance.log'),
  });
  await place.keep(appliance.start().then(() => appliance));
  profile = mkdtempSync(join(tmpdir(), 'carillon-technician-'));
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: profile,
    acceptInsecureCerts: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  rmSync(profile, { recursive: true, force: true });
  await place.close();
});

const code = () => readFileSync(join(folder, 'technician-code'), 'utf8').trim();
const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent ?? '');
const appears = (page: Page, selector: string) => page.waitForSelector(selector, { visible: true });

/** The page as a person sees it whose browser speaks these languages. */
async function opened(languages: readonly string[]): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.evaluateOnNewDocument((spoken) => {
    Object.defineProperty(navigator, 'languages', { get: () => spoken });
  }, languages);
  await page.setViewport(PHONE);
  await page.goto(url);
  await appears(page, '#door:not([hidden]), #inside:not([hidden])');
  return page;
}

async function signedIn(languages: readonly string[]): Promise<Page> {
  const page = await opened(languages);
  if ((await page.$('#door:not([hidden])')) !== null) {
    await page.type('#code', code());
    await page.click('#signIn button');
  }
  await appears(page, '#state dd');
  return page;
}

describe('the page of the technician, on a machine that is new', () => {
  it('says in words of its own what is wrong with a code', async () => {
    const page = await opened(['sv-SE', 'en']);
    await page.type('#code', '0000-0000');
    await page.click('#signIn button');
    await page.waitForFunction(`document.getElementById('signInProblem').textContent !== ''`);
    expect(await textOf(page, '#signInProblem')).toMatch(/^Det är inte koden som gäller nu\./);
    await page.close();
  });

  it.each([
    [['en-GB'], 'not in service', 'This machine belongs to no site yet: enrol it.'],
    [['sv'], 'inte i tjänst', 'Maskinen hör inte till någon plats än: anslut den.'],
    [['de-AT', 'en'], 'nicht in Betrieb', 'Dieses Gerät gehört noch zu keinem Standort: zuordnen.'],
    [['fr'], 'not in service', 'This machine belongs to no site yet: enrol it.'],
  ])(
    'shows %j its state and how to enrol, on a telephone and on a screen',
    async (languages, state, fault) => {
      const page = await signedIn(languages);
      expect(await textOf(page, '#overall')).toBe(state);
      expect(await textOf(page, '#faults')).toContain(fault);
      await appears(page, '#enrolCard');
      for (const size of [PHONE, DESKTOP]) {
        await page.setViewport(size);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide, `nothing beside a screen of ${size.width}`).toBeLessThanOrEqual(size.width);
      }
      await page.close();
    },
  );

  it('says why a claim is not taken', async () => {
    const page = await signedIn(['en']);
    await page.type('#cloud', 'http://127.0.0.1:9');
    await page.type('#claim', '4f7k2-m9qxt');
    await page.click('#enrol button');
    await page.waitForFunction(`document.getElementById('enrolProblem').textContent !== ''`);
    expect(await textOf(page, '#enrolProblem')).toMatch(/^The control plane cannot be reached: /);
    await page.close();
  });

  it('runs the self-test: parts that were not tested are named as such, and each failure has its advice', async () => {
    const page = await signedIn(['en']);
    await page.click('#startTest');
    await page.waitForFunction(`document.getElementById('testWhen').textContent.includes('release')`, {
      timeout: 60_000,
    });
    await page.click('#restCount');
    const points = await page.$$eval('.points li', (items) =>
      items.map((item) => ({
        name: item.querySelector(':scope > span:not(.dot)')?.firstChild?.textContent ?? '',
        verdict: item.querySelector('.dot')?.getAttribute('aria-label') ?? '',
        found: item.querySelector('small')?.textContent ?? '',
        advice: item.querySelector('em')?.textContent ?? '',
      })),
    );
    const { points: names } = selfTestTexts.en;
    expect(points.map(({ name }) => name).sort()).toEqual(Object.values(names).sort());
    const point = (name: string) => points.find((each) => each.name === name);
    expect(point(names.mqtt)).toMatchObject({ verdict: 'skipped', found: 'not enrolled' });
    expect(point(names.trunk)).toMatchObject({ verdict: 'skipped', found: 'not enrolled' });
    expect(point(names.sip)).toMatchObject({ verdict: 'ok' });
    for (const { name, verdict, advice } of points)
      expect(advice !== '', name).toBe(verdict === 'failure' || verdict === 'warning');
    expect(await textOf(page, '#testResult')).toContain('skipped: ');
    await page.close();
  });

  it('stops showing the last state of a machine that is not reached any more', async () => {
    const page = await signedIn(['en']);
    await appliance.kill();
    await appears(page, '#gone');
    expect(await textOf(page, '#gone')).toMatch(/has not answered since/);
    expect(await textOf(page, '#overall')).toBe('unknown');
    await appliance.start();
    // Visits end with the program.
    await appears(page, '#door');
    await page.close();
  });

  it('met no error of its script', () => {
    expect(complaints).toEqual([]);
  });
});
