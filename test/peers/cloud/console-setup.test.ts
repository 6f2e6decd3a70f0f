import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { runProgram } from '../support/program.ts';

/* A receiver from nothing to its first alarm, by the console of a demo that runs; then its history, a conflict, a draft. */

const OFFSET = 10_450;
const SHOWN = 'Ctrl-C ends everything.';
const NAME = 'Alarms of the west wing';
let folder: string;
let demo: ChildProcess;
let said = '';
let ready: Record<string, string>;
let open: SignedIn;
let callbackBaseUrl: string;
let receiverId = '';

interface Bridge {
  readonly id: string;
  readonly protocol: string;
  readonly name: string;
  readonly callbackBaseUrl: string;
}

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-setup-'));
  demo = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(OFFSET)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, 'data'), CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo.stdout?.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes(SHOWN) || demo.exitCode !== null, 280_000);
  expect(said).toContain(SHOWN);
  ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}');
  open = await signInBrowser({ api: there('api'), owner: there('token'), domain: there('domain') });
  const [scaip] = (await bridges()).filter(({ protocol }) => protocol === 'scaip');
  callbackBaseUrl = scaip?.callbackBaseUrl ?? '';
});
afterAll(async () => {
  await open?.close();
  if (demo?.exitCode === null) {
    demo.kill('SIGINT');
    await once(demo, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const there = (name: string): string => String(ready[name]);
const all = () => `/provisioning/alarmbridge/${there('domain')}`;
const bridges = async () => (await open.call('GET', all())).alarmbridges as readonly Bridge[];
const field = (name: string) => open.page.locator(`main [name="${name}"]`);
const isAt = (path: string) =>
  open.page.waitForFunction(`location.pathname === '/console/${path}'`, { timeout: 30_000 });
const goTo = (path: string) => open.page.goto(`${there('api')}/console/${path}`);

/** By the keyboard: users and history of a resource come later and move what stands below them, and the bar with "Save" may cover it. */
async function unfold(summary: string): Promise<void> {
  await open.sees(summary);
  await open.page.focus('details.danger summary');
  await open.page.keyboard.press('Enter');
}

/** All lines at once, as they are pasted. */
async function pasteKey(): Promise<void> {
  await open.page.waitForSelector('main [name="secret"]');
  await open.page.focus('main [name="secret"]');
  await open.page.keyboard.sendCharacter(
    JSON.parse(readFileSync(join(folder, 'data/demo/demo.json'), 'utf8')).privateKeyPem,
  );
}

describe('an alarm receiver in the console', () => {
  it('is made from nothing, judged while it is typed, with only the fields of its protocol', async () => {
    await goTo('bridge');
    await open.press('Create an alarm receiver');
    await field('protocol').fill('bs8521');
    await open.page.waitForSelector('main [name="dataRequestInterval"]');
    await field('protocol').fill('scaip');
    await open.page.waitForSelector('main [name="dataRequestInterval"]', { hidden: true });
    await field('name').fill(NAME);
    await field('callbackBaseUrl').fill(callbackBaseUrl);
    await open.page.locator('::-p-aria([name="REST authentication"][role="group"]) button.plain').click();
    // The demo's application names no place to speak with: without this one it would refuse each alarm.
    await field('defaultEmergencyDestination').fill(`sip:operator@${there('domain')}`);
    await field('sub').fill('carillon');
    await field('scope').fill('alarm');
    await field('type').fill('ES256');
    await pasteKey();
    await field('destinationMatch').fill('^west(');
    await open.sees('missing closing )');
    await field('destinationMatch').fill('^west$');
    await open.sees('destinations of the last 30 days match');
    await open.sees('The control plane would take it.');
    await open.press('Save');
    await isAt('bridge');
    await open.sees(`${NAME} is saved`);
    receiverId = (await bridges()).find(({ name }) => name === NAME)?.id ?? '';
    expect(receiverId).not.toBe('');
  });

  it('takes its first alarm, and the list shows it', async () => {
    const words = ['simulate', 'scaip', '--to', there('sip'), '--domain', there('domain'), '--talk', '0'];
    await expect
      .poll(async () => (await runProgram(process.execPath, [CARILLON, ...words, '--receiver', 'west'])).code)
      .toBe(0);
    await expect
      .poll(async () => (await open.call('GET', `/record/${there('domain')}?bridge=${receiverId}`)).records)
      .toMatchObject([{ kind: 'alarm' }]);
    await goTo('bridge');
    await open.page.waitForFunction(
      `[...document.querySelectorAll('[role=row]')].some((row) =>
        row.innerText.includes(${JSON.stringify(NAME)}) && row.innerText.includes(' ago') && row.innerText.includes('none of 1'))`,
      { timeout: 30_000 },
    );
    expect(open.complaints).toEqual([]);
  });

  it('is named as the taker of its destination, with the reasons against the others', async () => {
    await goTo('taker/west');
    await open.sees(`${NAME} takes west.`);
    await open.sees('does not match');
  });

  it('meets another person who saves meanwhile, field by field, and goes back to an earlier version', async () => {
    await goTo(`bridge/${receiverId}`);
    await field('description').fill('Mine');
    await open.sees('The control plane would take it.');
    const patched = await fetch(`${there('api')}${all()}/${receiverId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${there('token')}`,
        'content-type': 'application/merge-patch+json',
      },
      body: JSON.stringify({ description: 'Theirs', callbackName: 'Theirs too' }),
    });
    expect(patched.status).toBe(200);
    await open.press('Save');
    await open.sees('Another person has changed this meanwhile');
    await open.press('Go on with these');
    await open.sees('The control plane would take it.');
    await open.press('Save');
    await isAt('bridge');
    const stored = async () => (await open.call('GET', `${all()}/${receiverId}`)).alarmbridge;
    expect(await stored()).toMatchObject({ description: 'Mine', callbackName: 'Theirs too' });
    await goTo(`bridge/${receiverId}`);
    // Each version has this button: the others stand in folded ones.
    const first = '.setup-history > details:last-of-type';
    await open.page.waitForSelector(first);
    // The other person has only added fields.
    const created = `[...document.querySelectorAll('.setup-history > details > summary')]
      .filter(({ textContent }) => textContent.endsWith('created')).length`;
    expect(await open.page.evaluate(created)).toBe(1);
    await open.page.locator(`${first} > summary`).click();
    await open.page.locator(`${first} details > summary`).click();
    await open.page.locator(`${first} details button`).click();
    await expect.poll(stored).not.toHaveProperty('description');
    expect(open.complaints).toEqual([]);
  });

  it('has its last change undone from the entry of that change', async () => {
    const stored = async () => (await open.call('GET', `${all()}/${receiverId}`)).alarmbridge;
    const versions = '.setup-history > details';
    await goTo(`bridge/${receiverId}`);
    await open.page.waitForSelector(versions);
    const before = await open.page.$$eval(versions, (found) => found.length);
    await open.page.locator(`${versions}:first-of-type > summary`).click();
    await open.press('Undo this change');
    await open.page.locator(`${versions}:first-of-type details[open] button`).click();
    await expect.poll(stored).toMatchObject({ description: 'Mine' });
    // The way back is a change, too, and stands above the others without another look at the page.
    await open.page.waitForFunction(
      `document.querySelectorAll(${JSON.stringify(versions)}).length === ${before + 1}`,
    );
    expect(open.complaints).toEqual([]);
  });

  it('has a copy, which is kept as a draft, edited there, and thrown away', async () => {
    await goTo(`bridge/copy/${receiverId}`);
    // No secret comes with a copy: the control plane shows none.
    await pasteKey();
    await field('destinationMatch').fill('^east$');
    await open.sees('The control plane would take it.');
    const inTab = await open.page.evaluate('JSON.stringify(sessionStorage)');
    expect(inTab).toContain('^east$');
    expect(inTab).not.toContain('PRIVATE KEY');
    await open.press('Keep as a draft');
    await isAt('bridge');
    await open.press(`Alarm receiver Copy of ${NAME} (new)`);
    expect(await bridges()).not.toContainEqual(expect.objectContaining({ name: `Copy of ${NAME}` }));
    await open.page.locator('details[open] a').click();
    await unfold('Throw this draft away');
    await open.page.locator('details.danger input').fill(`Copy of ${NAME}`);
    await open.page.locator('details.danger button').click();
    await isAt('bridge');
    await open.misses(`Copy of ${NAME}`);
    await goTo(`bridge/${receiverId}`);
    await unfold(`Remove ${NAME}`);
    await open.page.locator('details.danger input').fill(NAME);
    await open.page.locator('details.danger button').click();
    await isAt('bridge');
    await open.misses(NAME);
    expect(open.complaints).toEqual([]);
  });
});

describe('a device in the console', () => {
  it('keeps kind and encryption when another authentication is chosen, and may register', async () => {
    const devices = `/provisioning/device/${there('domain')}`;
    const device = { deviceId: 'unit-7', authType: 'deviceid', srtp: 'always', deviceType: 'alarmUnit' };
    await open.call('PUT', devices, device);
    await goTo('device?find=unit-7');
    await open.page.locator('button.link').click();
    const inDialog = (name: string) => open.page.locator(`dialog [name="${name}"]`);
    await inDialog('authType').fill('userid');
    await inDialog('password').fill('a tablet in the hall');
    // The bar with "Save" may cover it: it is opened by the keyboard.
    await open.page.focus('dialog summary');
    await open.page.keyboard.press('Enter');
    await inDialog('register').fill('true');
    await open.sees('The control plane would take it.');
    await open.press('Save');
    await open.page.waitForSelector('dialog', { hidden: true });
    expect(await open.call('GET', `${devices}/unit-7`)).toMatchObject({
      ...{ ...device, authType: 'userid' },
      authorized: { register: true },
    });
    expect(open.complaints).toEqual([]);
  });
});
