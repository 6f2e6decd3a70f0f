import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { buildConsole } from '../../../installer/build/console.mjs';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

export const DOMAIN = 'care.example';
/** The person who is signed in, where a test names no other one. */
export const PERSON = { email: 'ada@care.example', password: 'correct horse battery' } as const;

/** A browser shares its cores with all that a test runs: this long it waits for what must come, ms. */
export const BROWSER_WAIT_MS = 90_000;

/** A control plane, wherever it runs. */
export interface ConsolePlace {
  readonly api: string;
  /** Token of the platform owner. */
  readonly owner: string;
  readonly domain: string;
}

/** The console in Chromium, with a person signed in. */
export interface SignedIn {
  readonly page: Page;
  /** Errors of the page. */
  readonly complaints: string[];
  /** As the owner of the platform, beside the browser. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  readonly sees: (text: string) => Promise<unknown>;
  readonly misses: (text: string) => Promise<unknown>;
  readonly press: (label: string) => Promise<void>;
  /** Loads the console again at this page (`fleet/north%2Fgw-1`). */
  readonly visit: (fragment: string) => Promise<void>;
  /** Presses Escape and waits until the dialog has closed: its closing changes the address of the page. */
  readonly closeDialog: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ConsoleBrowser extends SignedIn {
  readonly cloud: WholeCloud;
}

/** The console of a whole control plane of its own. */
export async function openConsoleBrowser(role = 'owner'): Promise<ConsoleBrowser> {
  await buildConsole();
  const cloud = await openWholeCloud();
  const { api, owner } = cloud;
  const call = callAs({ api, owner });
  await call('POST', '/platform/tenant', { domain: DOMAIN });
  await call('POST', `/site/${DOMAIN}`, { siteId: 'north', name: 'North wing' });
  const signedIn = await signInBrowser({ api, owner, domain: DOMAIN }, role);
  await signedIn.visit('fleet');
  await signedIn.sees('North wing');
  const close = async (): Promise<void> => {
    await signedIn.close();
    await cloud.close();
  };
  return { ...signedIn, cloud, close };
}

const callAs =
  ({ api, owner }: Pick<ConsolePlace, 'api' | 'owner'>): SignedIn['call'] =>
  async (method, path, body) => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };

/** Notes each violation of the Content-Security-Policy: a page that needs more than the policy gives is broken. */
export async function watchPolicy(page: Page, complaints: string[]): Promise<void> {
  await page.exposeFunction('noteViolation', (text: string) => complaints.push(text));
  await page.evaluateOnNewDocument(`
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
      noteViolation(effectiveDirective + ' forbids ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber));
  `);
}

/** A new person with this role, signed in at a control plane that runs; its console must have been built before it started. */
export async function signInBrowser(
  place: ConsolePlace,
  role = 'owner',
  email: string = PERSON.email,
): Promise<SignedIn> {
  const { api, domain } = place;
  const call = callAs(place);
  const invited = await call('POST', `/provisioning/user/${domain}`, { email, role });
  await call('POST', new URL(String(invited.link)).pathname, { email, password: PERSON.password });
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
      // A microphone that hums, and a person who allows it.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await watchPolicy(page, complaints);
  const until = (inPage: string) => page.waitForFunction(inPage);
  const opened: SignedIn = {
    page,
    complaints,
    call,
    sees: (text) => until(`document.body.innerText.includes(${JSON.stringify(text)})`),
    misses: (text) => until(`!document.body.innerText.includes(${JSON.stringify(text)})`),
    press: (label) => page.locator(`::-p-text(${label})`).click(),
    // Another fragment alone loads nothing: the empty page between makes the browser load the console.
    visit: async (fragment) => {
      await page.goto('about:blank');
      await page.goto(`${api}/console/#/${fragment}`);
    },
    closeDialog: async () => {
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { hidden: true });
    },
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
  await page.goto(`${api}/console/`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PERSON.password);
  await opened.press('Sign in');
  await page.waitForSelector('nav[aria-label=Pages]');
  return opened;
}
