import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import { must } from '#test/support/media.ts';
import { freePorts } from '#test/support/site-port.ts';
import { levelAt, pitchOf } from './support/sound.ts';

/* SRTP with ffmpeg at the other end, its own implementation: what it protects we hear, and what we protect it hears. */
const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;
const [THEIRS, OURS] = [700, 1_000];
const WAIT = { timeout: 30_000 };

let folder: string;
let media: OpenMedia;
const mediaEvents: MediaEvent[] = [];
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-srtp-'));
  media = await openMedia({
    ports: { from: 26_400, to: 26_419 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  media.events.add((event) => mediaEvents.push(event));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await media?.close();
  rmSync(folder, { recursive: true, force: true });
});

function ffmpeg(...words: readonly string[]): ChildProcess {
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  return child;
}

/** A leg of ours towards a port of ffmpeg. `latching`: ffmpeg sends from another one. */
async function legTo(leg: string, suite: (typeof SUITES)[number], port: number, latching: boolean) {
  const opened = must(await media.openLeg({ leg, profile: 'ordinary', family: 4 }));
  const [sendKey, receiveKey] = [randomBytes(30), randomBytes(30)];
  const pcma = { payloadType: 8, codec: 'PCMA' } as const;
  must(
    await media.updateLeg(leg, {
      remote: { host: '127.0.0.1', port, rtcpPort: port + 1 },
      ...{ rtcpMux: false, direction: 'sendrecv', send: pcma, receive: [pcma], latching },
      srtp: { suite, sendKey, receiveKey },
    }),
  );
  return { port: opened.port, sendKey, receiveKey };
}

it.each(SUITES)('%s: its speech is decoded, and none of it with a wrong key', async (suite) => {
  const leg = `to ${suite}`;
  const [unused = 0] = await freePorts('127.0.0.1', 1);
  const { port, receiveKey } = await legTo(leg, suite, unused, true);
  must(await media.listen(leg, { profile: 'ivr', digits: false, tones: [{ hz: THEIRS }] }));
  const says = (key: Uint8Array): ChildProcess =>
    ffmpeg(
      ...['-re', '-f', 'lavfi', '-i', `sine=frequency=${THEIRS}:sample_rate=8000`, '-ac', '1'],
      ...['-c:a', 'pcm_alaw', '-f', 'rtp', '-srtp_out_suite', suite],
      ...['-srtp_out_params', Buffer.from(key).toString('base64')],
      `srtp://127.0.0.1:${port}?pkt_size=172`,
    );
  const tones = (): MediaEvent[] => mediaEvents.filter((event) => event.kind === 'tone' && event.leg === leg);

  const wrong = says(randomBytes(30));
  await expect.poll(async () => must(await media.stats(leg)).received.srtpRejected, WAIT).toBeGreaterThan(50);
  expect([must(await media.stats(leg)).received.packets, tones().length]).toEqual([0, 0]);
  wrong.kill('SIGKILL');
  await once(wrong, 'exit');

  says(receiveKey);
  await expect.poll(() => tones().length, WAIT).toBeGreaterThan(0);
  must(await media.closeLeg(leg));
});

it.each(SUITES)('%s: it hears what we say', async (suite) => {
  const leg = `from ${suite}`;
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const { sendKey } = await legTo(leg, suite, port, false);
  must(
    await media.play(leg, `${leg} says`, {
      phrases: [{ kind: 'tone', segments: [tone(OURS, 1_000)] }],
      loop: { pauseMs: 0 },
      over: 'instead',
    }),
  );
  const described = join(folder, `${suite}.sdp`);
  const file = join(folder, `${suite}.raw`);
  writeFileSync(
    described,
    [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${port} RTP/SAVP 8`,
      'a=rtpmap:8 PCMA/8000',
      `a=crypto:1 ${suite} inline:${sendKey.toString('base64')}`,
      '',
    ].join('\r\n'),
  );
  const listener = ffmpeg(
    ...['-protocol_whitelist', 'file,rtp,srtp,udp', '-i', described],
    ...['-t', '2', '-f', 's16le', '-ar', '8000', '-ac', '1', '-flush_packets', '1', '-y', file],
  );
  let said = '';
  listener.stderr?.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  await expect.poll(() => (existsSync(file) ? statSync(file).size : 0), WAIT).toBeGreaterThan(24_000);
  expect(said).toBe('');
  const bytes = readFileSync(file);
  const samples = Int16Array.from({ length: 8_000 }, (_, i) => bytes.readInt16LE(4_000 + 2 * i));
  expect(pitchOf(samples)).toBeCloseTo(OURS, 0);
  expect(levelAt(samples, OURS)).toBeGreaterThan(-40);
  must(await media.closeLeg(leg));
});
