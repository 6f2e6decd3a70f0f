import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepAt, totp } from '#cloud/tenant/person/totp.ts';
import { type ConsoleBrowser, DOMAIN, openConsoleBrowser } from '../support/console-browser.ts';

const EMAIL = 'ada@care.example';
const PASSWORD = 'correct horse battery';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha1', key).update(data).digest();

let console: ConsoleBrowser;
let secret: Buffer;
let recovery: string;
let used = 0;

beforeAll(async () => {
  console = await openConsoleBrowser();
});
afterAll(async () => {
  await console?.close();
});

/** A code that the control plane has not seen, as an authenticator shows it now or in a moment. */
function code(): string {
  used = Math.max(used + 1, stepAt(Date.now()));
  return totp(secret, used, hmac);
}

const textOf = (selector: string) => console.page.$eval(selector, ({ textContent }) => textContent ?? '');

async function refusal(): Promise<string> {
  const shown = `[...document.querySelectorAll('[role=alert]')].map((each) => each.textContent).join('')`;
  await console.page.waitForFunction(`${shown} !== ''`, { timeout: 15_000 });
  return String(await console.page.evaluate(shown));
}

/** Sets the second factor up, from the secret on the page to the recovery codes. */
async function setUp(): Promise<void> {
  const { page, press, sees } = console;
  await press('Set up an authenticator');
  await page.waitForSelector('svg.qr');
  const bits = [...(await textOf('code.secret'))].map((sign) =>
    BASE32.indexOf(sign).toString(2).padStart(5, '0'),
  );
  secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  used = 0;
  await page.locator('input[name=code]').fill('000000');
  await press('Confirm');
  expect(await refusal()).toMatch(/code is refused/);
  await page.locator('input[name=code]').fill(code());
  await press('Confirm');
  await sees('Recovery codes');
  recovery = await textOf('ul.codes li:first-child code');
  expect(recovery).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
  await press('I have kept them');
}

async function signIn(): Promise<void> {
  const { page, press } = console;
  await press('Sign out');
  await page.waitForSelector('input[name=password]');
  await page.locator('input[name=email]').fill(EMAIL);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

it('a person sets an authenticator up, and keeps the recovery codes', async () => {
  await console.visit('access');
  await console.sees('The password alone opens your account');
  await setUp();
  await console.sees('10 recovery codes are left');
  expect(console.complaints).toEqual([]);
});

it('signs in with a code behind the password, and says when it is wrong', async () => {
  const { page, sees } = console;
  await signIn();
  await page.waitForSelector('input[name=code]');
  await page.locator('input[name=code]').fill('000000');
  await page.keyboard.press('Enter');
  expect(await refusal()).toMatch(/code is refused/);
  await page.locator('input[name=code]').fill(recovery);
  await page.keyboard.press('Enter');
  await sees('9 recovery codes are left');
  expect(console.complaints).toEqual([]);
});

it('takes it away with a code', async () => {
  const { page, press, sees } = console;
  await page.locator('input[name=code]').fill(code());
  await press('Remove it');
  await sees('The password alone opens your account');
  expect(console.complaints).toEqual([]);
});

it('asks for the password once more where an act needs it, and then does the act', async () => {
  const { page, press, sees, cloud } = console;
  const database = new Database(join(cloud.folder, 'cloud.db'));
  database.prepare('UPDATE person_session SET created_at = created_at - 600000').run();
  database.close();
  const invite = async (email: string): Promise<void> => {
    await page.locator('main input[name=email]').fill(email);
    await press('Create the link');
    await sees('Enter your password again');
  };
  await invite('bo@care.example');
  await press('Cancel');
  expect(await refusal()).toMatch(/more than 5 minutes ago/);
  await invite('bo@care.example');
  await page.locator('dialog input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await sees('Send this link to the person');
  expect(await page.$('dialog')).toBeNull();
  expect(console.complaints).toEqual([]);
});

it('is shown nothing but its set-up where the tenant demands it', async () => {
  const { page, sees, call } = console;
  expect(await call('PATCH', `/platform/tenant/${DOMAIN}`, { secondFactorRequired: true })).toEqual({
    success: true,
  });
  await signIn();
  await sees('A second factor is needed');
  expect(await page.$('nav[aria-label=Pages]')).toBeNull();
  await setUp();
  await page.waitForSelector('nav[aria-label=Pages]');
  await sees('10 recovery codes are left');
  expect(console.complaints).toEqual([]);
});
