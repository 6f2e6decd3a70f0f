import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import { type OpenedWebRtc, openWebRtc } from '#appliance/io/webrtc/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import {
  describeTransport,
  readTransport,
  type UdpAddress,
  type WebRtcEvent,
  type WebRtcTransport,
} from '#appliance/media/webrtc/index.ts';
import {
  acceptAnswer,
  answerOffer,
  createOffer,
  formatSdp,
  parseSdp,
  type SecureTransport,
  type SessionPlan,
  type Stream,
} from '#appliance/sip/sdp/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { BROWSER_WAIT_MS } from './support/console-browser.ts';

const LEG = 'leg';
/** Tones of the browser and of ours. */
const [THEIRS_HZ, OURS_HZ] = [1_000, 1_500];

let folder: string;
let browser: Browser;
let page: Page;
let media: OpenMedia;
let webrtc: OpenedWebRtc;
let legAddress: UdpAddress;
const mediaEvents: MediaEvent[] = [];
const events: WebRtcEvent[] = [];
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  // The leg comes first: a browser that starts makes a small machine late, and a late worker takes no new call.
  media = await openMedia({ ports: { from: 32_000, to: 32_099 }, workers: 1, log: () => undefined });
  media.events.add((event) => mediaEvents.push(event));
  ends.push(() => media.close());
  const leg = made(await media.openLeg({ leg: LEG, profile: 'ordinary', family: 4 }));
  legAddress = { host: '127.0.0.1', port: leg.port };
  folder = mkdtempSync(join(tmpdir(), 'carillon-webrtc-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  // The browser plays this file again and again for a microphone: whole periods, so that it never clicks.
  const sine = Int16Array.from(
    { length: 48_000 },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * THEIRS_HZ * i) / 48_000),
  );
  const microphone = join(folder, 'microphone.wav');
  writeFileSync(microphone, writeWav([sine], { sampleRate: 48_000 }));
  const html = readFileSync(new URL('./support/webrtc-page.html', import.meta.url));
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
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
    ],
  });
  ends.push(() => browser.close());
  webrtc = openWebRtc({ extraHosts: ['127.0.0.1'] });
  webrtc.events.add((event) => events.push(event));
  ends.push(() => webrtc.end());
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_WAIT_MS);
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
beforeEach(() => {
  mediaEvents.length = 0;
  events.length = 0;
});
afterEach(async () => {
  await page.evaluate('hangUp()');
  await webrtc.close(LEG);
  await media.updateLeg(LEG, null);
});

const made = <T>(result: { ok: true; value: T } | { ok: false; error: { reason: string } }): T => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};
const inPage = async <T>(call: string): Promise<T> => (await page.evaluate(call)) as T;

function planOf(transport: WebRtcTransport): SessionPlan {
  const described: SecureTransport = describeTransport(transport);
  const [first] = transport.candidates;
  const address = { family: 4, host: first?.host ?? '127.0.0.1' } as const;
  return {
    origin: { username: '-', sessionId: '1', address },
    srtp: 'never',
    secureSignalling: true,
    newKey: () => new Uint8Array(30),
    legs: [
      {
        address,
        port: first?.port ?? 9,
        codecs: ['PCMA', 'PCMU'],
        direction: 'sendrecv',
        transport: described,
      },
    ],
  };
}

/** The leg talks to the bridge, as to any telephone. */
async function joinLeg(
  stream: Stream | null | undefined,
  bridge: { host: string; port: number },
): Promise<void> {
  const codec = stream?.send.name;
  if (!stream || (codec !== 'PCMA' && codec !== 'PCMU')) throw new Error('no stream');
  const voice = { payloadType: stream.send.payloadType, codec } as const;
  made(
    await media.updateLeg(LEG, {
      remote: { ...bridge, rtcpPort: bridge.port },
      rtcpMux: true,
      direction: stream.direction,
      send: voice,
      receive: [voice],
      ...(stream.telephoneEvent === undefined ? {} : { telephoneEvent: stream.telephoneEvent }),
      latching: false,
    }),
  );
}

/** The browser offers, we answer. */
async function answerBrowser(): Promise<Stream | null | undefined> {
  const offer = made(parseSdp(await inPage<string>('offer()')));
  const remote = made(readTransport(offer.media[0]?.transport ?? neverOffered()));
  const { local, bridge } = made(await webrtc.open({ id: LEG, leg: legAddress, remote }));
  const agreed = made(answerOffer(offer, planOf(local)));
  await inPage(`accept(${JSON.stringify(formatSdp(agreed.local))})`);
  made(await webrtc.accept(LEG, remote));
  await joinLeg(agreed.streams[0], bridge);
  return agreed.streams[0];
}

/** We offer, the browser answers. */
async function offerToBrowser(): Promise<Stream | null | undefined> {
  const { local, bridge } = made(await webrtc.open({ id: LEG, leg: legAddress }));
  const offer = createOffer(planOf(local));
  const answer = await inPage<string>(`answer(${JSON.stringify(formatSdp(offer))})`);
  const agreed = made(acceptAnswer(offer, made(parseSdp(answer))));
  const remote = agreed.streams[0]?.transport;
  made(await webrtc.accept(LEG, made(readTransport(remote ?? neverOffered()))));
  await joinLeg(agreed.streams[0], bridge);
  return agreed.streams[0];
}

function neverOffered(): never {
  throw new Error('the browser described no WebRTC stream');
}

async function untilPage(call: string, holds: (value: number) => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  let value = await inPage<number>(call);
  while (!holds(value)) {
    if (Date.now() > deadline) throw new Error(`${call} stays ${value}`);
    value = await inPage<number>(call);
  }
}

describe.each([
  ['that offers', answerBrowser],
  ['that answers', offerToBrowser],
])('Chromium %s', (_, call) => {
  it('hears us and we hear it, and keys pass in both directions', async () => {
    const stream = await call();
    expect(stream?.telephoneEvent).toBeDefined();
    await until(() => events.length > 0, 20_000);
    expect(events).toEqual([{ kind: 'connected', id: LEG }]);
    expect(await inPage('pair()')).toEqual({ dtls: 'connected', srtp: 'SRTP_AES128_CM_HMAC_SHA1_80' });

    // It is heard: its tone, by our detector.
    made(await media.listen(LEG, { profile: 'ivr', digits: true, tones: [{ hz: THEIRS_HZ }] }));
    await until(() => mediaEvents.some((event) => event.kind === 'tone'), 10_000);
    expect(mediaEvents.find((event) => event.kind === 'tone')).toMatchObject({ frequencyHz: THEIRS_HZ });

    // It hears: our tone, by its analyser; nothing of its own comes back.
    const silence = await inPage<number>(`levelAt(${OURS_HZ})`);
    expect(silence).toBeLessThan(-60);
    const ours = { kind: 'tone', segments: [tone(OURS_HZ, 60_000)] } as const;
    made(await media.play(LEG, 'tone', { phrases: [ours], over: 'instead' }));
    await untilPage(`levelAt(${OURS_HZ})`, (level) => level > -35);
    expect(await inPage<number>(`levelAt(${THEIRS_HZ})`)).toBeLessThan(-60);
    made(await media.stop(LEG, 'tone'));

    // Its keys come as telephone-events.
    await inPage(`press('5#')`);
    const ended = () => mediaEvents.filter((event) => event.kind === 'digit' && event.edge === 'end');
    await until(() => ended().length >= 2, 10_000);
    expect(ended()).toMatchObject([
      { digit: '5', source: 'rfc4733' },
      { digit: '#', source: 'rfc4733' },
    ]);

    // Our keys: the browser plays what telephone-events stand for, 770 and 1,336 Hz.
    await untilPage('levelAt(1336)', (level) => level < -60);
    made(await media.sendDigits(LEG, 'digits', { digits: '5', mode: 'rfc4733', onMs: 2_000, offMs: 80 }));
    await untilPage('Math.min(levelAt(770), levelAt(1336))', (level) => level > -45);
    await until(() => mediaEvents.some((event) => event.kind === 'digitsSent'));
  });
});

describe('Chromium with another certificate than its description names', () => {
  it('gets no audio and no connection', async () => {
    const offer = made(parseSdp(await inPage<string>('offer()')));
    const remote = made(readTransport(offer.media[0]?.transport ?? neverOffered()));
    const forged = { ...remote, fingerprints: [{ algorithm: 'sha-256', hash: new Uint8Array(32) }] } as const;
    const { local } = made(await webrtc.open({ id: LEG, leg: legAddress, remote: forged }));
    await inPage(`accept(${JSON.stringify(formatSdp(made(answerOffer(offer, planOf(local))).local))})`);
    made(await webrtc.accept(LEG, forged));
    await until(() => events.length > 0, 20_000);
    const reason = 'the certificate of the peer is not the one its description names';
    expect(events).toEqual([{ kind: 'failed', id: LEG, reason }]);
    expect(made(await webrtc.close(LEG))).toMatchObject({ sent: 0, received: 0 });
  });
});
