import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { buildConsole } from '../../../installer/build/console.mjs';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

export const DOMAIN = 'care.example';
const EMAIL = 'ada@care.example';
const PASSWORD = 'correct horse battery';

/** The console of a whole control plane in Chromium, with somebody signed in. */
export interface ConsoleBrowser {
  readonly cloud: WholeCloud;
  readonly page: Page;
  /** Errors of the page. */
  readonly complaints: string[];
  /** As the owner of the platform, beside the browser. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  readonly sees: (text: string) => Promise<unknown>;
  readonly misses: (text: string) => Promise<unknown>;
  readonly press: (label: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openConsoleBrowser(role = 'owner'): Promise<ConsoleBrowser> {
  await buildConsole();
  const cloud = await openWholeCloud();
  const call: ConsoleBrowser['call'] = async (method, path, body) => {
    const answer = await fetch(`${cloud.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  await call('POST', '/platform/tenant', { domain: DOMAIN });
  await call('POST', `/site/${DOMAIN}`, { siteId: 'north', name: 'North wing' });
  const invited = await call('POST', `/provisioning/user/${DOMAIN}`, { email: EMAIL, role });
  await call('POST', new URL(String(invited.link)).pathname, { email: EMAIL, password: PASSWORD });
  const profile = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  const browser = await puppeteer.launch({
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
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  const until = (inPage: string) => page.waitForFunction(inPage, { timeout: 30_000 });
  const opened: ConsoleBrowser = {
    cloud,
    page,
    complaints,
    call,
    sees: (text) => until(`document.body.innerText.includes(${JSON.stringify(text)})`),
    misses: (text) => until(`!document.body.innerText.includes(${JSON.stringify(text)})`),
    press: (label) => page.locator(`::-p-text(${label})`).click(),
    close: async () => {
      await browser.close();
      await cloud.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
  await page.goto(`${cloud.api}/console/`);
  await page.locator('input[name=email]').fill(EMAIL);
  await page.locator('input[name=password]').fill(PASSWORD);
  await opened.press('Sign in');
  await opened.sees('North wing');
  return opened;
}
