import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type Arc, type ArcOptions, startArc } from '#appliance/simulator/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import type { MediaQueueEntry } from '#shared/contract/runtime/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { freePorts } from '#test/support/site-port.ts';
import { buildConsole } from '../../installer/build/console.mjs';
import { CARILLON } from '../support/program/program.ts';
import { BROWSER_WAIT_MS } from './support/console-browser.ts';
import { Ear } from './support/ear.ts';

/** Tones of the browser's microphone and of the operator's telephone, Hz. */
const [BROWSER, OPERATOR] = [1_000, 600];
/** Tones of a second telephone, of the music of a queue, and of what the application plays to a caller whom it did not serve, Hz. */
const [EXPERT, MUSIC, UNSERVED] = [1_800, 440, 2_400];
const OFFSET = 2_300;
/** Pause of an agent after a conversation, s: long enough to be seen from outside. */
const WRAP_UP = 8;
/** Last line of the demo's hints. */
const SHOWN = 'Ctrl-C ends everything.';
const WAIT = { timeout: BROWSER_WAIT_MS };
const PASSWORD = 'a tablet in the hall';

let folder: string;
let demo: ChildProcess;
let said = '';
let browser: Browser;
let page: Page;
let operator: OpenTelephone;
let expert: OpenTelephone;
let ear: Ear;
let application: Arc;
/** Requests of the media service to its application: path and body. */
const asked: (readonly [path: string, body: Record<string, unknown>])[] = [];
let api: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  demo = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(OFFSET)], {
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
  api = async (method, path, body) => {
    const text = body && { body: JSON.stringify(body) };
    const answer = await fetch(`${ready.api}${path}`, { method, headers, ...text });
    const read = (await answer.json()) as Record<string, unknown>;
    expect(read).toMatchObject({ success: true });
    return read;
  };
  await api('PUT', `/provisioning/device/${ready.domain}`, {
    ...{ deviceId: 'tablet-1', authType: 'userid', srtp: 'negotiated', password: PASSWORD },
    authorized: { register: true, invite: '^sip:operator@', domain: ready.domain },
  });
  await openHelpline(String(ready.domain));
  const telephone = async (user: string): Promise<OpenTelephone> => {
    const opened = await openTelephone({
      ...{ to: String(ready.sip), transport: 'udp', domain: String(ready.domain), user },
      password: said.match(/simulate sip .*--password (\S+)/)?.[1],
      policy: { ...ALARM_POLICY, srtp: 'never' },
    });
    expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
    return opened;
  };
  operator = await telephone('operator');
  expert = await telephone('expert');
  ear = new Ear(operator, BROWSER, OPERATOR, [MUSIC, UNSERVED]);
  operator.telephone.takeCallsBy(() => ear);
  await openBrowser(String(ready.console));
});
afterAll(async () => {
  await browser?.close();
  await operator?.close();
  await expert?.close();
  await application?.close();
  if (demo?.exitCode === null) {
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A media service whose application puts each caller into a queue with the browser as its agent. */
async function openHelpline(domain: string): Promise<void> {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const authority = await demoAuthority(join(folder, 'data', 'demo'));
  application = await startArc({
    ...{ host: '127.0.0.1', port, publicKeyPem: undefined },
    certificate: await authority.issue(['127.0.0.1']),
    relay: helpline,
  });
  await api('POST', `/mediaservice/${domain}`, {
    ...{ name: 'Helpline', destinationMatch: '^helpline$', callbackBaseUrl: `https://127.0.0.1:${port}` },
  });
  figures = async () => {
    const { queues } = await api('GET', `/mediaservice/${domain}/queue`);
    return (queues as readonly MediaQueueEntry[])[0];
  };
}

/** The queue as the API shows it. */
let figures: () => Promise<MediaQueueEntry | undefined>;

const helpline: NonNullable<ArcOptions['relay']> = ({ path, body }) => {
  const said = JSON.parse(body) as Record<string, unknown>;
  const name = path.split('/').at(-1) ?? '';
  asked.push([name, said]);
  const sounds = (frequency: number) => ({ format: 'tone', frequency, duration: 1_000 });
  const music = sounds(MUSIC);
  const queue = { queue: 'support', agents: ['tablet-1'], wrapUpTime: WRAP_UP, music };
  const isUnserved = overflowOf(said) !== undefined;
  const command = isUnserved
    ? { phrases: [{ ...sounds(UNSERVED), repeat: 100 }], getIVRCommandAfter: 3_600 }
    : { enqueue: queue };
  const answer =
    name === 'getIvrCommand' ? command : name === 'newCall' ? { action: 'ivr' } : { action: 'drop' };
  return Promise.resolve({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  });
};

/** The reason for which the queue did not serve a caller, as its application reads it. */
const overflowOf = (body: Record<string, unknown>): unknown =>
  (body.lastCommandResult as { queue?: { reason?: unknown } } | undefined)?.queue?.reason;

/** Measures the sound that comes to the browser where it arrives: the page shows nothing of it. */
const TAP = `
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) {
      super(...given);
      this.addEventListener('track', ({ track }) => {
        const context = new AudioContext({ sampleRate: 48000 });
        const analyser = context.createAnalyser();
        analyser.fftSize = 32768;
        analyser.smoothingTimeConstant = 0;
        context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
        window.levelAt = (hz) => {
          const bins = new Float32Array(analyser.frequencyBinCount);
          analyser.getFloatFrequencyData(bins);
          const bin = Math.round((hz * analyser.fftSize) / context.sampleRate);
          return Math.max(...bins.subarray(bin - 2, bin + 3));
        };
      });
    }
  };`;

/** Level at a frequency in the call of the browser, dB below full scale. */
const levelAt = async (hz: number): Promise<number> => Number(await page.evaluate(`window.levelAt?.(${hz})`));

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
  await page.evaluateOnNewDocument(TAP);
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

  it('calls: both hear the other, and a key is received', async () => {
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

describe('the telephone of the console as agent of a queue', { timeout: 120_000 }, () => {
  let second: Ear;
  const agent = async () => (await figures())?.agents.map(({ agent, state }) => ({ agent, state }));
  const is = (state: string) => [{ agent: 'tablet-1', state }];
  const isIdle = () => page.waitForSelector('input[placeholder="device or number"]', WAIT);

  it('rings for a caller that hears music; both hear each other when it answers', async () => {
    ear.begin();
    operator.telephone.call('helpline', ear);
    await expect.poll(() => [...ear.sounding], WAIT).toEqual([MUSIC]);
    await sees('rings');
    expect(await figures()).toMatchObject({ waiting: 1, entered: 1, answered: 0 });
    expect(await agent()).toEqual(is('ringing'));
    await press('Answer');
    await sees('talking for');
    await expect.poll(() => [...ear.sounding], WAIT).toEqual([BROWSER]);
    await expect.poll(() => levelAt(OPERATOR), WAIT).toBeGreaterThan(-40);
    expect(await levelAt(MUSIC)).toBeLessThan((await levelAt(OPERATOR)) - 20);
    expect(await figures()).toMatchObject({ waiting: 0, entered: 1, answered: 1 });
    expect(await agent()).toEqual(is('talking'));
  });

  it('has its pause after it hung up, and then the next caller', async () => {
    second = new Ear(expert, BROWSER, EXPERT, [MUSIC, UNSERVED]);
    expert.telephone.call('helpline', second);
    await expect.poll(() => [...second.sounding], WAIT).toEqual([MUSIC]);
    const hungUpAt = performance.now();
    await press('Hang up');
    const paused = { waiting: 1, entered: 2, answered: 1, agents: is('wrapUp') };
    await expect.poll(figures, { ...WAIT, interval: 100 }).toMatchObject(paused);
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await sees('rings');
    expect(performance.now() - hungUpAt).toBeGreaterThan(WRAP_UP * 1_000);
    await press('Answer');
    await expect.poll(() => [...second.sounding], WAIT).toEqual([BROWSER]);
    await expect.poll(() => levelAt(EXPERT), WAIT).toBeGreaterThan(-40);
    second.line.hangUp();
    await isIdle();
  });

  it('is no agent any more when it goes offline: the next caller is not kept waiting', async () => {
    ear.begin();
    operator.telephone.call('helpline', ear);
    await expect.poll(() => [...ear.sounding], WAIT).toEqual([MUSIC]);
    // Its pause may be over on a busy machine: then it rings, and refuses.
    expect(await figures()).toMatchObject({ waiting: 1, answered: 2, overflowed: 0 });
    await press('Go offline');
    await sees('Go online');
    await expect.poll(() => [...ear.sounding], WAIT).toEqual([UNSERVED]);
    expect(asked.map(([, body]) => overflowOf(body)).filter(Boolean)).toEqual(['noAgents']);
    expect(await figures()).toMatchObject({
      waiting: 0,
      entered: 3,
      answered: 2,
      abandoned: 0,
      overflowed: 1,
    });
    expect(await agent()).toEqual(is('away'));
    ear.line.hangUp();
    await expect.poll(() => ear.over, WAIT).toBeDefined();
  });
});
