import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { runProgram } from '../support/program.ts';

/* A demo records an alarm in tones; a person finds its recording, hears it in step with the timeline, and erases it. */

const OFFSET = 13_450;
const WAIT = { timeout: 90_000 };
let folder: string;
let demo: ChildProcess;
let said = '';
let ready: Record<string, string>;
let open: SignedIn;

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-recording-'));
  demo = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(OFFSET)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, 'data'), CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo.stdout?.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes('Ctrl-C ends everything.') || demo.exitCode !== null, 280_000);
  ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}');
  open = await signInBrowser({ api: there('api'), owner: there('token'), domain: there('domain') });
  // The list and the player are in sight at this size.
  await open.page.setViewport({ width: 1280, height: 1000 });
});
afterAll(async () => {
  await open?.close();
  if (demo?.exitCode === null) {
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const there = (name: string): string => String(ready[name]);
const goTo = (path: string) => open.page.goto(`${there('api')}/console/${path}`);
const recorded = async () =>
  (await open.call('GET', `/record/${there('domain')}?recording=true`)).records as readonly {
    readonly recordId: string;
    readonly result: string;
    readonly recordings: readonly string[];
  }[];

it('records an alarm in tones, which the list of records can be asked for', async () => {
  const all = `/provisioning/alarmbridge/${there('domain')}`;
  const bridges = (await open.call('GET', all)).alarmbridges as readonly { id: string; protocol: string }[];
  const tones = bridges.find(({ protocol }) => protocol === 'bs8521');
  await open.call('PATCH', `${all}/${tones?.id}`, { auditRecording: true });
  await expect
    .poll(
      async () => {
        const password = said.match(/simulate tone .*--password (\S+)/)?.[1] ?? '';
        const words = ['simulate', 'tone', '--to', there('sip'), '--password', password, '--talk', '5'];
        await runProgram(process.execPath, [CARILLON, ...words]);
        return (await recorded()).length;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
  await expect.poll(async () => (await recorded())[0]?.result, { timeout: 60_000 }).not.toBe('running');
});

it('finds a recording in the list of those sessions alone, and draws it when a person listens', async () => {
  await goTo('recording');
  await open.page.waitForSelector('[role=row][data-href]', WAIT);
  expect(await open.page.$$('[role=row][data-href]')).toHaveLength((await recorded()).length);
  await open.page.$eval('[role=row] a[href*="/recording/"]', (link) =>
    (link as { click(): void } & typeof link).click(),
  );
  await open.page.waitForFunction("location.pathname.startsWith('/console/recording/')", WAIT);
  await open.sees('The audit log names each person who listens.');
  expect(await open.page.$('audio')).toBe(null);
  await open.page.locator('.player button').click();
  await open.page.waitForFunction("document.querySelector('audio')?.duration > 3", WAIT);
  await open.page.waitForFunction(
    "(document.querySelector('.wave > div')?.shadowRoot?.querySelectorAll('canvas').length ?? 0) > 0",
    WAIT,
  );
  // The digits of the alarm stand over its waveform.
  await open.page.waitForSelector('.player-mark[title*="Said in tones"]', WAIT);
});

it('names the person who listened', async () => {
  await open.page.locator('summary ::-p-text(Listened so far)').click();
  await open.sees('ada@care.example');
  await open.sees('listened or downloaded');
});

it('plays in step with the timeline of the record, from the step that a person presses on', async () => {
  await goTo(`record/${(await recorded())[0]?.recordId}`);
  await open.page.locator('.player button').click();
  await open.page.waitForSelector('.timeline li[aria-current=step]', WAIT);
  await open.page
    .locator('::-p-xpath(//ol[@class="timeline"]/li[contains(., "Said in tones")]//button)')
    .click();
  await open.page.waitForFunction("document.querySelector('audio').currentTime > 0.5", WAIT);
  await open.page.waitForFunction(
    "document.querySelector('.timeline li[aria-current=step]')?.innerText.includes('Said in tones')",
    WAIT,
  );
});

it('erases a recording for good once the person has said so', async () => {
  const [record] = await recorded();
  await goTo(`recording/${record?.recordId}`);
  await open.page.locator('summary ::-p-text(Erase this recording)').click();
  await open.page.locator('details.danger input[type=checkbox]').click();
  await open.page.locator('details.danger button.danger').click();
  await open.sees('The recording is erased.');
  const files = (await open.call('GET', `/mediaservice/${there('domain')}/promptfile`)).files;
  expect(files).not.toContainEqual(expect.objectContaining({ name: record?.recordings[0] }));
});
