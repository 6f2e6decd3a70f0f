import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { buildConsole } from '../../installer/build/console.mjs';
import { BROWSER_WAIT_MS } from './support/console-browser.ts';
import { Ear } from './support/ear.ts';

/** Tones of the browser's microphone and of the operator's telephone, Hz. */
const [BROWSER, OPERATOR] = [1_000, 600];
const OFFSET = 2_300;
/** Last line of the demo's hints. */
const SHOWN = 'Ctrl-C ends everything.';
const WAIT = { timeout: BROWSER_WAIT_MS };
const PASSWORD = 'a tablet in the hall';
const carillon = fileURLToPath(new URL('../../installer/carillon.ts', import.meta.url));

let folder: string;
let demo: ChildProcess;
let said = '';
let browser: Browser;
let page: Page;
let operator: OpenTelephone;
let ear: Ear;

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  demo = spawn(process.execPath, [carillon, 'demo', '--port-offset', String(OFFSET)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo.stdout?.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes(SHOWN) || demo.exitCode !== null, 100_000);
  expect(said).toContain(SHOWN);
  const ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}') as Record<string, string>;
  const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
  const made = await fetch(`${ready.api}/provisioning/device/${ready.domain}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      ...{ deviceId: 'tablet-1', authType: 'userid', srtp: 'negotiated', password: PASSWORD },
      authorized: { register: true, invite: '^sip:operator@', domain: ready.domain },
    }),
  });
  expect(await made.json()).toMatchObject({ success: true });
  operator = await openTelephone({
    ...{ to: String(ready.sip), transport: 'udp', domain: String(ready.domain), user: 'operator' },
    password: said.match(/simulate sip .*--password (\S+)/)?.[1],
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  expect(await operator.telephone.register(600)).toMatchObject({ ok: true });
  ear = new Ear(operator, BROWSER, OPERATOR);
  operator.telephone.takeCallsBy(() => ear);
  await openBrowser(String(ready.console));
});
afterAll(async () => {
  await browser?.close();
  await operator?.close();
  if (demo?.exitCode === null) {
    const gone = once(demo, 'exit');
    demo.kill('SIGINT');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function openBrowser(address: string): Promise<void> {
  const microphone = join(folder, 'microphone.wav');
  const samples = Int16Array.from(
    { length: 80_000 },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * BROWSER * i) / 8_000),
  );
  writeFileSync(microphone, writeWav([samples]));
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: join(folder, 'profile'),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      ...[`--use-file-for-fake-audio-capture=${microphone}`, '--autoplay-policy=no-user-gesture-required'],
      '--allow-loopback-in-peer-connection',
      // The appliance's certificate is of the demo's own authority.
      '--ignore-certificate-errors',
    ],
  });
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  await page.goto(address);
  await page.locator('input[name=email]').fill(said.match(/\((\S+@\S+), password/)?.[1] ?? '');
  await page.locator('input[name=password]').fill(said.match(/, password (\S+)\)/)?.[1] ?? '');
  await page.locator('button[type=submit]').click();
  await page.locator('::-p-text(Telephone)').click();
}

const sees = (text: string) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, WAIT);
const press = (label: string) => page.locator(`button::-p-text(${label})`).click();
const turnOn = async (password: string): Promise<void> => {
  await page.locator('input[name=deviceId]').fill('tablet-1');
  await page.locator('input[name=password]').fill(password);
  await press('Go online');
};

describe('the telephone of the console', () => {
  it('says why it cannot be reachable', async () => {
    await turnOn('wrong');
    await sees('its password is not right');
  });

  it('calls: both hear the other, and a key is heard', async () => {
    await turnOn(PASSWORD);
    await sees('Go offline');
    await page.locator('input[placeholder="device or number"]').fill('operator');
    await press('Call');
    await sees('talking for');
    await expect.poll(() => ear.hears, WAIT).toBe(true);
    await press('5');
    await expect.poll(() => ear.digits, WAIT).toEqual([['5', 'rfc4733']]);
    await press('Hang up');
    await expect.poll(() => ear.over, WAIT).toBeDefined();
  });

  it('rings on every page, answers, and ends when the other hangs up', async () => {
    ear.begin();
    await page.locator('nav ::-p-text(Devices)').click();
    operator.telephone.call('tablet-1', ear);
    await sees('rings');
    await page.locator('nav ::-p-text(Telephone)').click();
    await press('Answer');
    await sees('talking for');
    await expect.poll(() => ear.hears, WAIT).toBe(true);
    ear.line.hangUp();
    await page.waitForSelector('input[placeholder="device or number"]', WAIT);
  });
});
