import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { replicatedMediaServiceSchema, replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { application } from '#test/support/application.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { testSound } from '#test/support/sound.ts';
import { Baresip, receivedPitch } from '../support/baresip.ts';
import { runSipp } from '../support/sipp.ts';
import { ack, hangsUp, hear, invite, pause, scenario, trying } from '../support/sipp-scenario.ts';
import { levelAt } from '../support/sound.ts';

/*
 * A program in Python hears and speaks in calls of baresip and SIPp: each side's tone is judged at the other, in both framings, and no
 * message is lost or out of its order.
 */
const CARRIER = '127.0.0.8';
const PASSWORD = 'correct-horse';
/** Tone of the telephone and of the program, Hz. */
const THEIRS = 750;
const PROGRAM = 1_100;
const script = fileURLToPath(new URL('../support/stream-program.py', import.meta.url));

let folder: string;
let site: Awaited<ReturnType<typeof realAppliance>>;
let app: ReturnType<typeof application>;
const ends: (() => Promise<unknown> | unknown)[] = [];
const programs: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-stream-program-'));
  const media = await openMedia({
    ports: { from: 27_100, to: 27_199 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => media.close());
  const webrtc = openWebRtc({ ports: { from: 27_200, to: 27_219 }, ipv6: false });
  ends.push(() => webrtc.end());
  const threads = testSound({ folder, allowPrivate: ['127.0.0.0/8'] });
  ends.push(() => threads.close());
  site = await realAppliance({}, { media, webrtc, sound: threads.adapters });
  ends.push(() => site.close());
  app = application(site);
  const service = { id: 'ivr', name: 'IVR', destinationMatch: '^ivr$' };
  site.tenant.put(
    'mediaservice',
    'ivr',
    replicatedMediaServiceSchema.parse({ ...service, callbackBaseUrl: 'https://app.example/cb' }),
  );
  const trunk = { id: 't1', name: 'Carrier', direction: 'in', ipAllowList: [`${CARRIER}/32`], srtp: 'never' };
  site.tenant.put('trunk', 't1', replicatedTrunkSchema.parse(trunk));
  const md5 = hash('md5', `phone:${site.domain}:${PASSWORD}`);
  site.device({ deviceId: 'phone', authType: 'credentials', digest: { md5 } });
});
afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

interface Report {
  readonly names: readonly string[];
  readonly faults: readonly string[];
  /** Base64 of 16-bit samples, 8 kHz. */
  readonly audio: string;
}

/** The program waits for its call, and the next call to the IVR is joined with it. */
async function program(framing: 'mediaStream' | 'pcm') {
  const child = spawn('python3', [script, framing], { stdio: ['ignore', 'pipe', 'inherit'] });
  programs.push(child);
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes('\n'));
  const url = `ws://127.0.0.1:${Number.parseInt(said, 10)}/`;
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { stream: { url, framing, bidirectional: true } });
  return {
    spoken: () => said.includes('mark spoken\n'),
    async report(): Promise<Report> {
      if (child.exitCode === null) await once(child, 'exit');
      return JSON.parse(said.trim().split('\n').at(-1) ?? '');
    },
  };
}

const STRETCH = 4_000;
const AUDIBLE_DB = -30;

/** The tones of ours that any half second is full of; and how long all was. */
function judged({ audio }: Report): { readonly tones: readonly number[]; readonly ms: number } {
  const bytes = Buffer.from(audio, 'base64');
  const samples = Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));
  const tones = new Set<number>();
  for (let at = 0; at + STRETCH <= samples.length; at += STRETCH)
    for (const hz of [THEIRS, PROGRAM])
      if (levelAt(samples.subarray(at, at + STRETCH), hz) > AUDIBLE_DB) tones.add(hz);
  return { tones: [...tones], ms: samples.length / 8 };
}

describe.each(['mediaStream', 'pcm'] as const)('a program in Python that speaks %s', (framing) => {
  it('hears baresip, and baresip hears it', async () => {
    const says = join(folder, 'says.wav');
    writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
    const phone = await Baresip.start({
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user: 'phone', password: PASSWORD },
      ...{ domain: site.domain, proxyPort: site.port('UDP'), transport: 'udp', codec: 'PCMA', says },
    });
    try {
      const stream = await program(framing);
      phone.say('dial', `sip:ivr@${site.domain}`);
      await phone.until('CALL_ESTABLISHED');
      await expect.poll(() => Math.abs(Number(receivedPitch(phone)) - PROGRAM) < 20).toBe(true);
      await expect.poll(stream.spoken).toBe(true);
      phone.say('hangup');
      const report = await stream.report();
      const { tones, ms } = judged(report);
      expect(tones).toEqual([THEIRS]);
      // The whole tone of 3 s was heard meanwhile.
      expect(ms).toBeGreaterThan(2_800);
      expect(report.faults).toEqual([]);
      await completed(framing, report, 'phone');
    } finally {
      await phone.close();
    }
  });

  it('hears its echo through SIPp', async () => {
    const stream = await program(framing);
    const outcome = await runSipp({
      scenario: scenario('echo', invite(), trying, hear(200), ack(), pause(5_000), hangsUp()),
      ...{ transport: 'udp', port: site.port('UDP'), from: CARRIER, domain: site.domain, withinS: 40 },
      flags: ['-rtp_echo', '-mi', CARRIER],
      calls: [['+4670', 'ivr']],
    });
    expect(outcome).toMatchObject({ code: 0, errors: '' });
    const report = await stream.report();
    expect(judged(report).tones).toEqual([PROGRAM]);
    expect(report.faults).toEqual([]);
    await completed(framing, report, '+4670');
  });
});

/** The stream ended with its call, lost nothing and stands in the record; the messages are those of the framing. */
async function completed(framing: 'mediaStream' | 'pcm', { names }: Report, from: string): Promise<void> {
  await expect.poll(() => app.received('/streamStopped').length).toBe(app.received('/streamStarted').length);
  expect(app.last('/streamStopped')).toMatchObject({ reason: 'callEnded', droppedMs: 0 });
  const kinds = new Set(names);
  expect([...kinds].sort()).toEqual(
    framing === 'pcm' ? ['binary', 'mark'] : ['connected', 'mark', 'media', 'start', 'stop'],
  );
  const record = () => site.records.all().findLast(({ kind }) => kind === 'mediaService');
  await expect.poll(() => record()?.result).toBe('done');
  expect(record()).toMatchObject({ from, to: 'ivr', streams: [expect.stringMatching(/^ws:\/\/127/)] });
  expect([app.unscripted, app.strange, site.logged]).toEqual([[], [], []]);
}
