import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { BROWSER_WAIT_MS, watchPolicy } from '../support/console-browser.ts';

/* A whole demo with its two alarms: a person finds one in the list and reads it to the last message. */

const OFFSET = 6_900;
const WAIT_MS = 250_000;
const WAIT = { timeout: BROWSER_WAIT_MS };
const complaints: string[] = [];

let folder: string;
let demo: ChildProcess;
let browser: Browser;
let page: Page;
let said = '';

const sees = (text: string) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, WAIT);

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-record-'));
  demo = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(OFFSET)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, 'data'), CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo.stdout?.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes('Ctrl-C ends everything.') || demo.exitCode !== null, WAIT_MS);
  const ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}') as Record<string, string>;
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: join(folder, 'profile'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  // The links of the list are in sight at this width. Puppeteer scrolls to a hidden one and presses it within one frame:
  // the table has not heard of the scroll yet, restores its position as it takes the focus, and the press ends elsewhere.
  await page.setViewport({ width: 1280, height: 900 });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await watchPolicy(page, complaints);
  await page.goto(String(ready.console));
  await page.locator('input[name=email]').fill(said.match(/\((\S+@\S+), password/)?.[1] ?? '');
  await page.locator('input[name=password]').fill(said.match(/, password (\S+)\)/)?.[1] ?? '');
  await page.locator('button[type=submit]').click();
  await page.waitForSelector('nav[aria-label=Pages]');
});
afterAll(async () => {
  await browser?.close();
  if (demo?.exitCode === null) {
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

it('shows what happened to an alarm in two clicks: its steps, its tones, and each message whole', async () => {
  await page.locator('nav ::-p-text(Alarms and calls)').click();
  await page.locator('::-p-xpath(//*[@role="row"][contains(., "12345678:0001")]//strong)').click();
  await page.waitForSelector('.rung', WAIT);
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/record\/[0-9a-z]{26}$/);
  await sees('A person spoke with the device and cleared the call');
  await sees('A01001234567800010100000000#');
  await sees('On disk: it cannot be lost from here');
  await page.locator('.rung ::-p-text(INVITE)').click();
  await sees('INVITE sip:analogue@demo.carillon.test SIP/2.0');
  await sees('Jitter');
  await page.locator('.delivery summary').click();
  await sees('"action": "callEmergencyCenter"');
  expect(complaints).toEqual([]);
});

it('opens a record by the link in its row too, and comes back to the list', async () => {
  await page.goto(new URL('/console/record', page.url()).href);
  await page.locator('[role=row] a::-p-text(12345678:0001)').click();
  await page.waitForSelector('.rung', WAIT);
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/record\/[0-9a-z]{26}$/);
  await page.goBack();
  await page.waitForSelector('[role=row][data-href]', WAIT);
  expect(new URL(page.url()).pathname).toBe('/console/record');
});

/** Faults of the rows below each other: a value with an empty line below it, a title that stands over the next one. */
const ROW_FAULTS = `[...document.querySelectorAll('.stacked > div')].flatMap((line) => {
  const { bottom, height } = line.getBoundingClientRect();
  const title = line.querySelector('dt');
  const value = line.querySelector('.cell').getBoundingClientRect();
  return [
    ...(height - value.height > 24 ? [title.textContent + ': an empty line'] : []),
    ...(title.getBoundingClientRect().bottom > bottom + 1 ? [title.textContent + ': over the next one'] : []),
  ];
})`;
/** Faults of a ladder: a name that does not stand over its lane, a label that is cut. */
const LADDER_FAULTS = `(() => {
  const middle = ({ left, right }) => (left + right) / 2;
  const lanes = [...document.querySelectorAll('.rung')[0].querySelectorAll('.life')];
  const names = [...document.querySelectorAll('.ladder-head strong')];
  return [
    ...names.filter((name, at) => Math.abs(middle(name.getBoundingClientRect()) - middle(lanes[at].getBoundingClientRect())) > 2),
    ...[...document.querySelectorAll('.arrow text')].filter((label) => {
      const { left, right } = label.getBoundingClientRect();
      // A ladder of many parties is wider than its frame, and is moved there.
      const box = label.closest('.rung').getBoundingClientRect();
      return left < box.left - 1 || right > box.right + 1;
    }),
  ].map(({ textContent }) => textContent);
})()`;

it('has whole rows and a whole ladder at the width of a telephone', async () => {
  await page.setViewport({ width: 390, height: 900 });
  for (const language of ['en', 'sv', 'de']) {
    await page.evaluate(`localStorage.setItem('carillon.language', '${language}')`);
    await page.goto(new URL('/console/record', page.url()).href);
    await page.waitForSelector('.stacked .badge.good', WAIT);
    expect(await page.evaluate(ROW_FAULTS), language).toEqual([]);
  }
  await page.evaluate("localStorage.removeItem('carillon.language')");
  await page.goto(new URL('/console/record', page.url()).href);
  await page.locator('[role=row] a::-p-text(12345678:0001)').click();
  await page.waitForSelector('.rung', WAIT);
  expect(await page.evaluate(LADDER_FAULTS)).toEqual([]);
  await page.setViewport({ width: 1280, height: 900 });
  expect(complaints).toEqual([]);
});

it('filters by what stands in the address, and says when nothing matches', async () => {
  const list = new URL('/console/record', page.url());
  await page.goto(`${list}?protocol=scaip`);
  await sees('scaip-0001');
  expect(await page.$$('[role=row][data-href]')).toHaveLength(1);
  await page.goto(`${list}?result=failed`);
  await sees('No row matches the filters');
  expect(complaints).toEqual([]);
});
