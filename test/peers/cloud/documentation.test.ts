import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocumentation, searchTimes } from '#test/bench/documentation/built-site.ts';
import { openWholeCloud, type WholeCloud } from '#test/cloud/whole-cloud.ts';
import { BROWSER_WAIT_MS } from '../support/console-browser.ts';

/* The documentation as a person reads it: built, served by a control plane, under its policy, with its search. */

/** Ten times the budget of a free machine (1 s for the first page, 100 ms for a search): others use this one meanwhile. */
const FIRST_PAGE_MS = 10_000;
const SEARCH_MS = 1_000;

let cloud: WholeCloud;
let browser: Browser;
let page: Page;
let folder: string;
const complaints: string[] = [];

beforeAll(async () => {
  buildDocumentation();
  cloud = await openWholeCloud();
  folder = mkdtempSync(join(tmpdir(), 'carillon-documentation-'));
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    userDataDir: folder,
  });
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await cloud?.close();
  rmSync(folder, { recursive: true, force: true });
});

const goTo = (path: string) => page.goto(`${cloud.api}${path}`, { waitUntil: 'load' });

async function search(words: string): Promise<string[]> {
  await page.waitForSelector('button[data-open-modal]:not([disabled])');
  await page.click('button[data-open-modal]');
  const field = await page.waitForSelector('#starlight__search input');
  await field?.type(words);
  await page.waitForSelector('#starlight__search .pagefind-ui__result a');
  return await page.$$eval('#starlight__search .pagefind-ui__result a', (links) =>
    links.map((link) => new URL(link.href).pathname),
  );
}

it('shows the first page soon, and each kind of page without a complaint', async () => {
  const begun = performance.now();
  await goTo('/docs');
  const ms = performance.now() - begun;
  console.log(`first page of the documentation: ${Math.round(ms)} ms`);
  expect(ms).toBeLessThan(FIRST_PAGE_MS);
  for (const path of [
    '/docs/start/first-alarm',
    '/docs/concepts/site',
    '/docs/protocols/scaip',
    '/docs/callbacks/verify-go',
  ]) {
    await goTo(path);
    expect(await page.$eval('h1', ({ textContent }) => textContent)).toMatch(/\w/);
  }
  expect(complaints).toEqual([]);
});

it('asks no other place for anything', async () => {
  const others: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(cloud.api) && !request.url().startsWith('data:'))
      others.push(request.url());
  });
  await goTo('/docs/reference/api/devices');
  expect(others).toEqual([]);
});

it('finds a word by the search, without a network beyond the control plane', async () => {
  await goTo('/docs');
  const found = await search('heartbeatInterval');
  expect(found.some((path) => path.startsWith('/docs/'))).toBe(true);
  const [ms = Number.NaN] = await searchTimes(page, ['dead letter']);
  console.log(`a search in the documentation: ${Math.round(ms)} ms`);
  expect(ms).toBeLessThan(SEARCH_MS);
  expect(complaints).toEqual([]);
});

it('has colours of both themes, and fits a telephone', async () => {
  const colours = new Set<string>();
  for (const theme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 900 });
      await goTo('/docs/callbacks/new-alarmbridge-event');
      const shown = (await page.evaluate(`({
        tooWide: document.documentElement.scrollWidth > window.innerWidth,
        colour: getComputedStyle(document.body).backgroundColor,
        token: getComputedStyle(document.querySelector('.ec-line span[class^="s-"]')).color,
      })`)) as { readonly tooWide: boolean; readonly colour: string; readonly token: string };
      expect([theme, width, shown.tooWide]).toEqual([theme, width, false]);
      colours.add(shown.colour).add(shown.token);
    }
  }
  expect(colours.size).toBeGreaterThan(2);
  expect(complaints).toEqual([]);
});

it('serves each page as Markdown, and a list of them for programs', async () => {
  const list = await (await fetch(`${cloud.api}/llms.txt`)).text();
  const addresses = [...list.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(100);
  for (const address of addresses) {
    const answer = await fetch(`${cloud.api}${address}`);
    expect([address, answer.status, (await answer.text()).startsWith('# ')]).toEqual([address, 200, true]);
  }
});
