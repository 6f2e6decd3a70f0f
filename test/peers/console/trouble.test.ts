import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { DOMAIN, type SignedIn, signInBrowser } from '../support/console-browser.ts';

/*
 * Trouble of a person at work, in Chromium over `carillon cloud` as a process: a control plane of another version under an open
 * page, a lost network, a wrong clock, a role without rights. The other version is a copy of the program whose console has other
 * file names, as each build has.
 */
const ROOT = join(import.meta.dirname, '..', '..', '..');
/** A browser comes back to a stream in its own time. */
const WITHIN_MS = 120_000;
const NAME = 'main [name="name"]';
/** Names of files of the other version have this word more. */
const MARK = '-next';

let folder: string;
let data: string;
let api: string;
let present: SiteProcess;
let next: SiteProcess;
let open: SignedIn;

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-trouble-'));
  data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const [http = 0, edge = 0, mqtt = 0] = await freePorts('127.0.0.1', 3);
  api = `http://127.0.0.1:${http}`;
  const program = (root: string): SiteProcess =>
    new SiteProcess({
      name: 'the control plane',
      command: [process.execPath, join(root, 'installer', 'carillon.ts'), 'cloud'],
      environment: {
        ...{ CARILLON_DATA: data, CARILLON_HTTP: `127.0.0.1:${http}`, CARILLON_LOG: 'error' },
        ...{ CARILLON_EDGE: `127.0.0.1:${edge}`, CARILLON_MQTT_LISTEN: `127.0.0.1:${mqtt}` },
      },
      logFile: join(folder, 'cloud.log'),
    });
  present = program(ROOT);
  next = program(otherVersion());
  await present.start();
  const owner = readFileSync(join(data, 'bootstrap-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  await post('/platform/tenant', { domain: DOMAIN });
  await post(`/site/${DOMAIN}`, { siteId: 'north', name: 'North wing' });
  open = await signInBrowser({ api, owner, domain: DOMAIN });
  open.page.setDefaultTimeout(WITHIN_MS);
}, 300_000);
afterAll(async () => {
  await open?.close();
  await next?.stop();
  await present?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** A copy of the program, whose console begins with another script and has no file of the first one. */
function otherVersion(): string {
  const copy = join(folder, 'program');
  const made = join(ROOT, 'cloud', 'console', 'dist');
  for (const name of ['cloud', 'shared', 'installer', 'package.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (from) => from !== made });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const dist = join(copy, 'cloud', 'console', 'dist');
  mkdirSync(join(dist, 'asset'), { recursive: true });
  const { files } = JSON.parse(readFileSync(join(made, 'files.json'), 'utf8')) as { files: string[] };
  const plain = files.filter((name) => !/\.(br|gz)$/.test(name));
  const renamed = (name: string): string =>
    name.startsWith('asset/') ? name.replace(/(\.\w+)$/, `${MARK}$1`) : name;
  for (const name of plain) {
    const text = plain
      .filter((other) => other.startsWith('asset/'))
      .reduce(
        (all, other) => all.replaceAll(basename(other), basename(renamed(other))),
        readFileSync(join(made, name), 'utf8'),
      );
    writeFileSync(join(dist, renamed(name)), text);
  }
  writeFileSync(join(dist, 'files.json'), JSON.stringify({ files: plain.map(renamed), before: [] }));
  return copy;
}

const goto = (address: string, page: Page = open.page) => page.goto(`${api}/console/${address}`);
const sees = (text: string, page: Page = open.page) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, { timeout: WITHIN_MS });
const misses = (text: string) =>
  open.page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`, {
    timeout: WITHIN_MS,
  });
const typedName = () =>
  open.page
    .locator(NAME)
    .map((input) => (input as unknown as { value: string }).value)
    .wait();
const script = () => open.page.$eval('script[type=module]', (found) => found.getAttribute('src'));
const navigation = () => open.page.evaluate("performance.getEntriesByType('navigation')[0].type");

describe('a control plane of another version under an open page', { timeout: 400_000 }, () => {
  it('is named, serves the files of the page as it was, and loses no form when the page is loaded again', async () => {
    const streamed = open.page.waitForResponse((answer) => answer.url().endsWith(`/site/${DOMAIN}/stream`));
    await goto('trunk/new');
    await open.page.locator(NAME).fill('Carrier of the night');
    await streamed;
    await present.stop();
    await next.start();
    await sees('The control plane has another version now.');
    expect(await typedName()).toBe('Carrier of the night');
    // A page that was not opened yet: its file is one of the version before.
    await open.page.locator('nav ::-p-text(Usage)').click();
    await open.page.waitForFunction("document.querySelector('main h1')?.textContent === 'Usage'");
    expect(await navigation()).toBe('navigate');
    expect(await script()).not.toContain(MARK);
    await open.page.goBack();
    await open.page.locator('main ::-p-xpath(//button[. = "Load it again"])').click();
    await open.page.waitForFunction("performance.getEntriesByType('navigation')[0].type === 'reload'");
    expect(await typedName()).toBe('Carrier of the night');
    expect(await script()).toContain(MARK);
    await misses('The control plane has another version now.');
  });

  it('that has no files of the page any more makes it load again by itself, with what was typed', async () => {
    await goto('trunk/new');
    await open.page.locator(NAME).fill('Carrier of the day');
    await next.stop();
    // As after an upgrade over two versions: nothing is kept of the one of the page.
    rmSync(join(data, 'console'), { recursive: true });
    await present.start();
    await open.page.locator('nav ::-p-text(Usage)').click();
    await open.page.waitForFunction("performance.getEntriesByType('navigation')[0]?.type === 'reload'");
    await sees('The control plane has another version now, so the page was loaded again.');
    await goto('trunk/new');
    expect(await typedName()).toBe('Carrier of the day');
  });
});

describe('a network that is lost for a while', { timeout: 300_000 }, () => {
  it('leaves what is seen and typed, says so, and goes on by itself', async () => {
    await goto('fleet');
    await sees('North wing');
    await open.page.setOfflineMode(true);
    await sees('This page shows the state of');
    await sees('North wing');
    await open.page.setOfflineMode(false);
    await misses('This page shows the state of');
    await goto('trunk/new');
    await open.page.locator(NAME).fill('Carrier of the week');
    await open.page.setOfflineMode(true);
    await open.page.locator('main [name="description"]').fill('By fibre');
    await open.page.setOfflineMode(false);
    await open.page.reload();
    expect(await typedName()).toBe('Carrier of the week');
  });
});

describe('a browser whose clock is wrong', { timeout: 300_000 }, () => {
  it('says so, and shows ages by the clock of the control plane', async () => {
    const DAYS = 3;
    const page = await open.page.browser().newPage();
    page.setDefaultTimeout(WITHIN_MS);
    await page.evaluateOnNewDocument(`
      const now = Date.now.bind(Date);
      // Half a day more: a slow answer makes the difference look shorter, and whole days are shown.
      Date.now = () => now() - ${DAYS + 0.5} * 86400000;
    `);
    await goto('access', page);
    await sees(`The clock of this computer is ${DAYS} d behind.`, page);
    await goto('audit', page);
    await page.waitForSelector('main time');
    const ages = await page.$$eval('main time', (all) => all.map(({ textContent }) => textContent));
    expect(ages.length).toBeGreaterThan(0);
    expect(ages.filter((age) => !/^\d+ (s|min) ago$/.test(age ?? ''))).toEqual([]);
    await page.close();
    await open.page.bringToFront();
  });
});

describe('a role without rights', { timeout: 300_000 }, () => {
  let page: Page;
  beforeAll(async () => {
    const account = { email: 'eve@care.example', password: 'correct horse battery' };
    const invited = await open.call('POST', `/provisioning/user/${DOMAIN}`, {
      email: account.email,
      role: 'viewer',
    });
    await open.call('POST', new URL(String(invited.link)).pathname, account);
    const context = await open.page.browser().createBrowserContext();
    page = await context.newPage();
    await goto('', page);
    await page.locator('input[name=email]').fill(account.email);
    await page.locator('input[name=password]').fill(account.password);
    await page.locator('button[type=submit]').click();
    await page.waitForSelector('nav[aria-label=Pages]');
  });

  it.each([
    ['bridge', 'administrators and owners'],
    ['prompt', 'administrators and owners'],
    ['fleet', 'technicians, administrators and owners'],
  ])('reads on the page %s which roles may change it', async (address, who) => {
    await goto(address, page);
    await sees(`Your role reads here. It is changed by ${who}`, page);
    const labels = await page.$$eval('main .button, main button', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(labels.filter((label) => /^(Create|Add|Make)/.test(label ?? ''))).toEqual([]);
  });
});
