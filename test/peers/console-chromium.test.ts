import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine } from '#test/cloud/io/machine.ts';
import { openWholeCloud, type WholeCloud } from '#test/cloud/whole-cloud.ts';
import { buildConsole } from '../../installer/build/console.mjs';
import { BROWSER_WAIT_MS, watchPolicy } from './support/console-browser.ts';

const DOMAIN = 'care.example';
const EMAIL = 'ada@care.example';
const PASSWORD = 'correct horse battery';
/** A text that would be a script, were it ever taken for markup. */
const SCRIPT = '<img src=x onerror="document.title=1">';

let cloud: WholeCloud;
let browser: Browser;
let page: Page;
let profile: string;
const complaints: string[] = [];

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${cloud.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

beforeAll(async () => {
  await buildConsole();
  cloud = await openWholeCloud();
  await call('POST', '/platform/tenant', { domain: DOMAIN });
  await call('POST', `/site/${DOMAIN}`, { siteId: 'north', name: 'North wing' });
  const invited = await call('POST', `/provisioning/user/${DOMAIN}`, { email: EMAIL, role: 'owner' });
  await call('POST', new URL(String(invited.link)).pathname, { email: EMAIL, password: PASSWORD });
  profile = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: profile,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  await watchPolicy(page, complaints);
  page.on('console', (message) => {
    // The browser notes every answer that is no success; the first look without a cookie is one.
    if (message.type() === 'error' && !message.text().includes('the server responded')) {
      complaints.push(message.text());
    }
  });
});
afterAll(async () => {
  await browser?.close();
  await cloud?.close();
  rmSync(profile, { recursive: true, force: true });
});
beforeEach(() => complaints.splice(0));

/** A wrong password for the person, from this address of the machine. */
async function guess(localAddress: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const asked = request(`${cloud.api}/session`, { method: 'POST', localAddress, headers });
  asked.end(JSON.stringify({ email: EMAIL, password: 'wrong' }));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(401);
}

const until = (inPage: string) => page.waitForFunction(inPage, { timeout: BROWSER_WAIT_MS });
const sees = (text: string) => until(`document.body.innerText.includes(${JSON.stringify(text)})`);
/** The text of an alert, as soon as it has one. */
async function refusal(selector: string): Promise<string> {
  await until(`(document.querySelector('${selector}')?.textContent ?? '') !== ''`);
  return (await page.$eval(selector, ({ textContent }) => textContent)) ?? '';
}

/** Its closing changes the address of the page: a step that does not wait for it may be undone by it. */
async function closeDialog(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { hidden: true });
}

const press = (label: string) => page.locator(`::-p-text(${label})`).click();

describe('the console in Chromium', () => {
  it('is reached by the bare address, and refuses a wrong password in words', async () => {
    await page.goto(cloud.api);
    expect(page.url()).toBe(`${cloud.api}/console/`);
    await page.locator('input[name=email]').fill(EMAIL);
    await page.locator('input[name=password]').fill('wrong');
    await press('Sign in');
    expect(await refusal('[role=alert]')).toMatch(/password/i);
  });

  it('signs in by the keyboard alone, and says who else has tried the password', async () => {
    for (let count = 0; count < 3; count++) await guess('127.0.0.2');
    await page.focus('input[name=password]');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await sees('The way to the first alarm');
    await press('Fleet');
    await sees('North wing');
    await sees('3 wrong passwords were entered for your account from another network');
    await sees('127.0.0.2');
    await press('I have seen it');
    await until("!document.body.innerText.includes('wrong passwords')");
    expect(complaints).toEqual([]);
  });

  it('asks for the person and the tenants before its program is there, and once', async () => {
    const second = await browser.newPage();
    const asked: string[] = [];
    second.on('request', (each) => asked.push(each.url().slice(cloud.api.length)));
    await second.goto(`${cloud.api}/console/overview`);
    await second.waitForSelector('main h1', { timeout: BROWSER_WAIT_MS });
    const facts = ['/session', '/provisioning/currentuser/tenants?limit=100'];
    expect(asked.filter((url) => facts.includes(url)).toSorted()).toEqual(facts.toSorted());
    const first = asked.findIndex((url) => url.includes('/asset/first-'));
    for (const fact of facts) expect(asked.indexOf(fact)).toBeLessThan(first);
    // As many files at once as a browser asks for, twice.
    const ofPage = asked.slice(first + 1).filter((url) => /\/asset\/[^/]+\.(?:js|css)$/.test(url));
    expect(ofPage.length).toBeLessThanOrEqual(12);
    await second.close();
  });

  it('is notified of a new host and never asks for it', async () => {
    const second = await browser.newPage();
    // Without a timer that repeats, a page shows what the stream brings or nothing.
    await second.evaluateOnNewDocument('window.setInterval = () => 0');
    const opened = second.waitForResponse((answer) => answer.url().endsWith(`/site/${DOMAIN}/stream`));
    await second.goto(`${cloud.api}/console/#/fleet`);
    expect((await opened).headers()['content-type']).toBe('text/event-stream');
    await second.waitForFunction("document.body.innerText.includes('North wing')", {
      timeout: BROWSER_WAIT_MS,
    });
    const { claimCode } = await call('POST', `/site/${DOMAIN}/north/claim`, {});
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    await call('POST', '/edge/v1/claim', { claimCode, hostId: 'told-1', csr, sealKey, version: '0.1.0' });
    await second.waitForFunction("document.body.innerText.includes('told-1')", { timeout: BROWSER_WAIT_MS });
    await second.close();
    await page.bringToFront();
    await call('DELETE', `/site/${DOMAIN}/north/host/told-1`);
  });

  it('makes a claim for a host, with its code to be scanned', async () => {
    await press('Add a host');
    await press('Create a claim code');
    await page.waitForSelector('svg.qr');
    await sees(`carillon enrol --cloud ${cloud.api} --claim`);
    await closeDialog();
  });

  it('makes a site, and goes on to a claim for its first host', async () => {
    await press('Create a site');
    await page.locator('input[name=name]').fill('South wing');
    await page.locator('input[name=siteId]').fill('south');
    await press('Create the site');
    await sees('Add a host to south');
    await page.locator('input[name=labels]').fill('rack=2, power=ups');
    await press('Create a claim code');
    await page.waitForSelector('svg.qr');
    const file = await page.$eval('a[download]', (link) => (link as unknown as { href: string }).href);
    const code = /claim\/([^/]+)\/file$/.exec(file)?.[1];
    await closeDialog();
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    await call('POST', '/edge/v1/claim', { claimCode: code, hostId: 'gw-1', csr, sealKey, version: '0.1.0' });
    await sees('power=ups');
    expect(await call('GET', `/site/${DOMAIN}/south`)).toMatchObject({ site: { name: 'South wing' } });
  });

  it('swaps a machine that is dead, only when its name was typed, and says what to do on the next one', async () => {
    const path = `/site/${DOMAIN}/south/host/gw-1`;
    await press('gw-1');
    await press('Service');
    await press('The machine is dead');
    const swap = page.locator('details[open] button.danger');
    expect(await page.$eval('details[open] button.danger', (button) => button.hasAttribute('disabled'))).toBe(
      true,
    );
    await page.locator('details[open] label:nth-of-type(2) input').fill('gw-1');
    await swap.click();
    await page.waitForSelector('main svg.qr');
    await sees(`carillon enrol --cloud ${cloud.api} --claim`);
    expect(await call('GET', path)).toMatchObject({ host: { lifecycle: 'claimed' } });
    await press('Fleet');
    expect(complaints).toEqual([]);
  });

  it('says why a host that has no connection cannot be asked', async () => {
    await press('gw-1');
    await press('Diagnosis');
    await press('Support bundle');
    expect(await refusal('main .act [role=alert]')).toMatch(/does not answer diag.bundle/);
    await press('Fleet');
    await call('DELETE', `/site/${DOMAIN}/south/host/gw-1`);
  });

  it('adds a device, shows what was written as text, changes and deletes it', async () => {
    await press('Devices');
    await press('Add a device');
    await page.locator('input[name=deviceId]').fill('room-1');
    await page.locator('input[name=description]').fill(SCRIPT);
    await press('Save');
    await sees('it is never shown again');
    await closeDialog();
    await sees(SCRIPT);
    expect(await call('GET', `/provisioning/device/${DOMAIN}/room-1`)).toMatchObject({
      deviceId: 'room-1',
      description: SCRIPT,
      authType: 'credentials',
    });
    await page.locator('button.link').click();
    await page.locator('input[name=description]').fill('Bed by the window');
    await press('Save');
    await sees('Bed by the window');
    await page.locator('button.link').click();
    await press('Delete this device');
    await page.locator('details.danger input').fill('room-1');
    await page.locator('details.danger button').click();
    await sees('No devices yet');
    expect(await page.title()).toBe('Devices · Carillon');
    expect(complaints).toEqual([]);
  });

  it('says what the service refused', async () => {
    await press('Add a device');
    await page.locator('input[name=deviceId]').fill('bad id?');
    expect(await refusal('dialog [role=alert]')).toMatch(/must|pattern|match/i);
    await closeDialog();
  });

  it('goes to a page by Ctrl-K and the first letters of its name', async () => {
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForSelector('[role=dialog] input');
    await page.keyboard.type('tru');
    await page.waitForSelector('[role=menuitem]');
    await page.keyboard.press('Enter');
    await until(`location.pathname === '/console/trunk'`);
    expect(complaints).toEqual([]);
  });

  it('keeps what was typed when the session ends, and stores it after the next sign-in', async () => {
    await page.goto(`${cloud.api}/console/trunk/new`);
    const name = '::-p-xpath(//label[starts-with(., "Name")]/../input)';
    await page.locator(name).fill('Carrier north');
    await page.locator('::-p-xpath(//label[starts-with(., "Direction")]/../select)').fill('in');
    await sees('is mandatory when direction is in');
    await page
      .locator('::-p-xpath(//label[starts-with(., "IP allow list")]/../textarea)')
      .fill('192.0.2.0/24');
    await sees('The control plane would take it.');
    const client = await page.createCDPSession();
    await client.send('Network.clearBrowserCookies');
    await page.locator(name).fill('Carrier south');
    await sees('Your session has ended');
    await page.locator('dialog input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog', { hidden: true });
    await page.locator(name).fill('Carrier south-east');
    await sees('The control plane would take it.');
    await press('Save');
    await until(`location.pathname === '/console/trunk'`);
    await sees('Carrier south-east');
    expect(complaints).toEqual([]);
  });

  it('shares its streams, of the site and of the alarm queue, between its tabs', async () => {
    const second = await browser.newPage();
    const streams: string[] = [];
    second.on('request', (request) => {
      if (request.url().endsWith('/stream')) streams.push(request.url());
    });
    await page.goto(`${cloud.api}/console/trunk`);
    await page.bringToFront();
    const held = 'navigator.locks.query().then(({ held }) => held.length === 2)';
    await page.waitForFunction(held);
    // Without a timer that repeats, it shows what the first one tells or nothing.
    await second.evaluateOnNewDocument('window.setInterval = () => 0');
    // Both are looked at: as in two windows beside each other.
    const session = await second.createCDPSession();
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await second.goto(`${cloud.api}/console/fleet`);
    await second.waitForFunction(
      'navigator.locks.query().then(({ held, pending }) => held.length === 2 && pending.length === 2)',
    );
    expect(streams).toEqual([]);
    await second.waitForFunction("document.body.innerText.includes('North wing')");
    const { claimCode } = await call('POST', `/site/${DOMAIN}/north/claim`, {});
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    await call('POST', '/edge/v1/claim', { claimCode, hostId: 'shared-1', csr, sealKey, version: '0.1.0' });
    await second.waitForFunction("document.body.innerText.includes('shared-1')", {
      timeout: BROWSER_WAIT_MS,
    });
    await second.close();
    await page.bringToFront();
    await call('DELETE', `/site/${DOMAIN}/north/host/shared-1`);
    expect(complaints).toEqual([]);
  });

  it('has what was done in the audit, and asks for the password again once one has left', async () => {
    await press('Audit');
    await until(
      `[...document.querySelectorAll('[role=row]')].some(({ innerText }) => /Device: delete[\\s\\S]*room-1/.test(innerText))`,
    );
    await press('Sign out');
    await page.waitForSelector('input[name=password]');
    await page.goto(`${cloud.api}/console/#/device`);
    await page.waitForSelector('input[name=password]');
    expect(complaints).toEqual([]);
  });

  it('shows the owner of the platform the processes of the control plane', async () => {
    const owner = { email: 'owner@platform.example', password: 'a platform of many tenants' };
    await call('POST', new URL(cloud.setupLink ?? '').pathname, owner);
    await page.goto(`${cloud.api}/console/`);
    await page.locator('input[name=email]').fill(owner.email);
    await page.locator('input[name=password]').fill(owner.password);
    await press('Sign in');
    await page.waitForSelector('input[name=password]', { hidden: true });
    await page.goto(`${cloud.api}/console/platform`);
    await sees('Control planes');
    await sees(hostname());
    await sees('answers this page');
    await sees('1 process serves the deployment');
    const row = await page.$eval('#replicas tbody tr', (found) => found.textContent);
    expect(row).toMatch(/running[\s\S]*0\.1\.0[\s\S]*64[\s\S]*00–3f[\s\S]*ago/);
    expect(complaints).toEqual([]);
  });
});
