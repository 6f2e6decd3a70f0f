import { argon2Sync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import type { WebRtc, WebRtcEvent } from '#appliance/media/webrtc/index.ts';
import type { Line, LineUser } from '#appliance/simulator/endpoint/telephone.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';
import { BROWSER_WAIT_MS } from './support/console-browser.ts';

const DOMAIN = 'care.example';
const PASSWORD = 'correct horse';
/** Tones of the browser and of the telephone. */
const [BROWSER_HZ, PHONE_HZ] = [1_000, 1_500];

let site: Awaited<ReturnType<typeof realAppliance>>;
let phone: OpenTelephone;
let browser: Browser;
let page: Page;
const ends: (() => Promise<unknown> | unknown)[] = [];
/** Connections of the appliance by their names, and their results. */
const opened: string[] = [];
const closed: string[] = [];
const trickled: string[] = [];
const events: WebRtcEvent[] = [];
/** Port of the telephone. */
const mediaEvents: MediaEvent[] = [];
let line: Line | undefined;
let over: string | undefined;

beforeAll(async () => {
  // Audio comes first: a browser that starts makes a small machine late, and a late worker takes no new call.
  const media = await openMedia({
    ports: { from: 26_000, to: 26_099 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => media.close());
  const thread = openWebRtc({ ports: { from: 26_100, to: 26_199 }, extraHosts: ['127.0.0.1'], ipv6: false });
  ends.push(() => thread.end());
  site = await realAppliance({}, { media, webrtc: watched(thread) });
  ends.push(() => site.close());
  const digest = {
    sha256: ha1Of(hash, 'SHA-256', 'anna', DOMAIN, PASSWORD),
    md5: ha1Of(hash, 'MD5', 'anna', DOMAIN, PASSWORD),
  };
  site.device({ deviceId: 'anna', authType: 'credentials', digest });
  const authorized = { register: true, invite: '^sip:anna@', domain: DOMAIN };
  site.device({ deviceId: 'tablet-7', authType: 'userid', passwordHash: hashOf(PASSWORD), authorized });
  phone = await openTelephone({
    to: `127.0.0.1:${site.port('UDP')}`,
    transport: 'udp',
    domain: DOMAIN,
    user: 'anna',
    password: PASSWORD,
    // A telephone that a busy machine makes late would refuse ordinary calls.
    policy: { ...ORDINARY_POLICY, profile: 'alarm', srtp: 'never' },
  });
  ends.push(() => phone.close());
  phone.telephone.takeCallsBy(() => user);
  expect(await phone.telephone.register(600)).toMatchObject({ ok: true });
  await openBrowser();
  await inPage(`register('${site.webSocket}', 'tablet-7', '${await signIn()}')`);
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

beforeEach(() => {
  for (const list of [opened, closed, trickled, events, mediaEvents]) list.length = 0;
  line = undefined;
  over = undefined;
});

afterEach(async () => {
  if (!page.isClosed()) await inPage('hangUp()');
  await until(() => site.runtime.load.legs === 0, 10_000);
  await until(() => closed.length === opened.length, 10_000);
  expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(closed.toSorted()).toEqual(opened.toSorted());
  expect(site.logged).toEqual([]);
});

/** The same, with a note of what it is asked. */
function watched(thread: WebRtc): WebRtc {
  thread.events.add((event) => events.push(event));
  return {
    open: (opening) => {
      opened.push(opening.id);
      return thread.open(opening);
    },
    accept: (id, remote) => thread.accept(id, remote),
    addCandidate: (id, candidate) => {
      trickled.push(`${candidate.host}:${candidate.port}`);
      return thread.addCandidate(id, candidate);
    },
    close: (id) => {
      closed.push(id);
      return thread.close(id);
    },
    events: thread.events,
  };
}

const user: LineUser = {
  answered: (answered) => {
    line = answered;
  },
  mediaEvent: (_, event) => mediaEvents.push(event),
  ended: (_, reason) => {
    over = reason;
  },
};

function hashOf(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=64,t=1,p=1$${plain(nonce)}$${plain(tag)}`;
}

/** POST /authorize at the site's door. */
async function signIn(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = httpsRequest(
    `https://127.0.0.1:${site.https}/authorize`,
    { method: 'POST', ca: site.ca, headers: { 'content-type': 'application/json' } },
    async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    },
  );
  asked.on('error', reject);
  asked.end(JSON.stringify({ domain: DOMAIN, deviceId: 'tablet-7', password: PASSWORD }));
  return String((JSON.parse(await promise) as { token: unknown }).token);
}

async function openBrowser(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-softphone-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  // The browser plays this file again and again for a microphone: whole periods, so that it never clicks.
  const sine = Int16Array.from(
    { length: 48_000 },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * BROWSER_HZ * i) / 48_000),
  );
  const microphone = join(folder, 'microphone.wav');
  writeFileSync(microphone, writeWav([sine], { sampleRate: 48_000 }));
  const entry = fileURLToPath(new URL('./support/softphone-page.mjs', import.meta.url));
  const bundle = await build({ entryPoints: [entry], bundle: true, write: false, platform: 'browser' });
  const script = bundle.outputFiles[0]?.text ?? '';
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? script : '<!doctype html><title>Softphone</title><script src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: join(folder, 'profile'),
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      '--allow-loopback-in-peer-connection',
      // The certificate is of the test's own authority.
      '--ignore-certificate-errors',
    ],
  });
  ends.push(() => browser.close());
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
}

const inPage = async <T>(call: string): Promise<T> => (await page.evaluate(call)) as T;

async function untilPage(call: string, holds: (value: unknown) => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  let value = await inPage<unknown>(call);
  while (!holds(value)) {
    if (Date.now() > deadline) throw new Error(`${call} stays ${value}; ${JSON.stringify(events)}`);
    value = await inPage<unknown>(call);
  }
}

const connections = () => events.filter(({ kind }) => kind === 'connected').length;
const above = (dB: number) => (level: unknown) => Number(level) > dB;
const below = (dB: number) => (level: unknown) => Number(level) < dB;

async function onTheLine(): Promise<Line> {
  await until(() => line !== undefined, 15_000);
  await until(() => connections() > 0, 20_000);
  await untilPage('state()', (state) => state === 'Established');
  if (line === undefined) throw new Error('nobody is on the line');
  return line;
}

/** The browser's tone at the telephone, heard from now on. */
async function phoneHears({ name }: Line): Promise<void> {
  mediaEvents.length = 0;
  await phone.media.listen(name, { profile: 'ivr', digits: true, tones: [{ hz: BROWSER_HZ }] });
  await until(() => mediaEvents.some((event) => event.kind === 'tone'), 15_000);
  expect(mediaEvents.find((event) => event.kind === 'tone')).toMatchObject({ frequencyHz: BROWSER_HZ });
}

/** The telephone's tone in the browser; nothing of its own comes back. */
async function browserHears({ name }: Line): Promise<void> {
  const said = { kind: 'tone', segments: [tone(PHONE_HZ, 60_000)] } as const;
  await phone.media.play(name, 'tone', { phrases: [said], over: 'instead' });
  await untilPage(`levelAt(${PHONE_HZ})`, above(-35));
  expect(await inPage<number>(`levelAt(${BROWSER_HZ})`)).toBeLessThan(-60);
  await phone.media.stop(name, 'tone');
  await untilPage(`levelAt(${PHONE_HZ})`, below(-60));
}

async function digitsPass({ name }: Line): Promise<void> {
  mediaEvents.length = 0;
  await inPage(`press('5#')`);
  const ended = () =>
    mediaEvents.flatMap((event) => (event.kind === 'digit' && event.edge === 'end' ? event.digit : []));
  await until(() => ended().length >= 2, 10_000);
  expect(ended()).toEqual(['5', '#']);
  await untilPage('levelAt(1336)', below(-60));
  await phone.media.sendDigits(name, 'digits', { digits: '5', mode: 'rfc4733', onMs: 2_000, offMs: 80 });
  await untilPage('Math.min(levelAt(770), levelAt(1336))', above(-45));
  await until(() => mediaEvents.some((event) => event.kind === 'digitsSent'));
}

it('a browser calls a telephone: both hear each other and their digits, also after hold and a restart of ICE', async () => {
  await inPage(`call('anna')`);
  const talk = await onTheLine();
  await phoneHears(talk);
  await browserHears(talk);
  await digitsPass(talk);

  // Hold and back: the connection stays.
  expect(await inPage('hold(true)')).toBe(200);
  expect(await inPage('hold(false)')).toBe(200);
  await phoneHears(talk);
  await browserHears(talk);
  expect(connections()).toBe(1);
  expect(opened).toHaveLength(1);

  // ICE restart: another one, and the first is closed.
  expect(await inPage('restart()')).toBe(200);
  await until(() => connections() === 2, 20_000);
  await phoneHears(talk);
  await browserHears(talk);
  expect(closed).toEqual([opened[0]]);

  await inPage('hangUp()');
  await until(() => over !== undefined, 10_000);
});

it('a browser that sends its addresses by INFO (RFC 8840) is found by them alone', async () => {
  await inPage(`call('anna', true)`);
  await until(() => line !== undefined, 15_000);
  await untilPage('state()', (state) => state === 'Established');
  // Neither side knows an address of the other.
  expect(connections()).toBe(0);
  const statuses = await inPage<number[]>('trickle()');
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const talk = await onTheLine();
  expect(new Set(trickled).size).toBe(trickled.length);
  expect(trickled).toHaveLength(statuses.length);
  await phoneHears(talk);
  await browserHears(talk);
  await inPage('hangUp()');
  await until(() => over !== undefined, 10_000);
});

it('a telephone calls a browser: both hear each other and their digits, until it hangs up', async () => {
  phone.telephone.call('tablet-7', user);
  await untilPage('isRung()', (rung) => rung === true);
  await inPage('answer()');
  const talk = await onTheLine();
  await phoneHears(talk);
  await browserHears(talk);
  await digitsPass(talk);
  talk.hangUp();
  await untilPage('state()', (state) => state === 'Terminated');
});

it('a browser that leaves in the middle of a call: the telephone gets the BYE', async () => {
  await inPage(`call('anna')`);
  await onTheLine();
  await page.close();
  // It says nothing as it goes: its audio stays out for ten seconds, its reports for 25 s.
  await until(() => over !== undefined, 45_000);
  expect(over).toBe('RTP media timeout');
});
