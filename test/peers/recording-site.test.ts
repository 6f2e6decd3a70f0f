import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenHttps } from '#appliance/io/http/index.ts';
import { openPhone, openRecordingClient } from '#appliance/simulator/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { Place } from '#test/bench/support/place.ts';
import { type ObjectServer, objectServer } from '#test/support/object-server.ts';
import { type BrokeredSite, startBrokeredSite } from './support/brokered-site.ts';
import { runProgram } from './support/program.ts';
import { channelOf, decodedByFfmpeg, levelAt, pitchOf } from './support/sound.ts';

/*
 * Recordings all the way, each program a process of its own:
 *
 *   telephone, recording client ─ SIP, RTP ─▶ appliance ─ mutual TLS ─▶ cloud ─ signed URL ─▶ ffmpeg, sox
 *   commands ─▶ cloud ─ MQTT ─▶ appliance ─▶ objects, signed and checked
 */
const KEY = { keyId: 'AKIDEXAMPLE', secret: 'a/secret+with%signs' };
/** Full scale of a sine is +3.14 dBm0 (G.711). */
const FULL_DBM0 = 3.14;

const place = new Place();
let site: BrokeredSite;
let storage: ObjectServer;
let folder: string;
type Body = Readonly<Record<string, unknown>>;
const told: { readonly path: string; readonly body: Body }[] = [];
const answers = new Map<string, Body[]>();
/** Calls that were recorded. */
let calls = 0;

beforeAll(async () => {
  folder = place.folder();
  storage = await objectServer(KEY);
  const { host } = new URL(storage.endpoint);
  const userinfo = `${KEY.keyId}:${encodeURIComponent(KEY.secret)}`;
  site = await startBrokeredSite(place, { CARILLON_S3: `http://${userinfo}@${host}/?region=eu-north-1` });
  const listener = await listenHttps(
    { host: '127.0.0.1', port: 0, certificate: site.certificate },
    async (request) => {
      const path = new URL(request.url).pathname;
      told.push({ path, body: (await request.json()) as Body });
      return Response.json(answers.get(path)?.shift() ?? {});
    },
  );
  await place.keep(Promise.resolve({ stop: () => listener.close() }));
  for (const [kind, match] of [
    ['mediaservice', '^ivr$'],
    ['callrecording', '^rec$'],
  ])
    await api('POST', `/${kind}/${site.domain}`, {
      name: kind,
      destinationMatch: match,
      callbackBaseUrl: `https://127.0.0.1:${listener.port}/${kind}`,
      restAuthentication: [],
    });
}, 120_000);
afterAll(async () => {
  storage.close();
  await place.close();
});

async function api(method: string, path: string, body?: unknown, status = 200): Promise<Body> {
  const answer = await fetch(`${site.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Body;
}

async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const untilMs = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > untilMs)
      throw new Error(
        `no ${what}; told ${told.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join('\n')}`,
      );
    await pass(100);
  }
}
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const heardOf = (path: string, fits: (body: Body) => boolean = () => true) =>
  eventually(path, () => told.find((each) => each.path === path && fits(each.body))?.body);

/** Another program has looked at it, too: whole, 8 kHz, so many channels. */
async function soxOf(path: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('sox', ['--i', path]);
  if (code !== 0 || stderr !== '') throw new Error(`sox ${code}: ${stderr}`);
  return stdout;
}

describe('a recording of a media service', () => {
  it('goes to the cloud by TLS and is played from there: what was said and what was heard, at its level', async () => {
    const said = join(folder, 'said.wav');
    writeFileSync(said, wavOf(sine(700, 3, 8_000), 8_000));
    const phone = await eventually('service', async () => {
      const opened = await openPhone({
        to: `127.0.0.1:${site.sip}`,
        transport: 'udp',
        domain: site.domain,
        user: 'operator',
        password: site.password,
        srtp: 'never',
        says: { file: said },
      }).catch(() => undefined);
      return opened;
    });
    // A machine that is too busy to keep time gives recordings up, so that calls go on: then once more.
    const { outcome, ready } = await eventually('recording', async () => {
      const recordingFileName = `calls/${++calls}.wav`;
      answers.set('/mediaservice/newCall', [{ action: 'ivr', callRecording: true, recordingFileName }]);
      answers.set('/mediaservice/getIvrCommand', [
        { phrases: [{ format: 'tone', frequency: 1_000, duration: 2_000, level: -20 }] },
        { getIVRCommandAfter: 3_600 },
      ]);
      const outcome = await phone.call('ivr', 1_000);
      if (!outcome.answered) return undefined;
      const ready = await heardOf(
        '/mediaservice/recordingReady',
        (body) => body.recordingFileName === recordingFileName,
      );
      return ready.reason === 'overload' ? undefined : { outcome, ready };
    });
    await phone.close();
    expect(outcome).toMatchObject({ answered: true, ended: 'we hung up' });
    expect(ready, String(ready.reason)).toMatchObject({ event: 'recordingSuccessful' });
    const name = encodeURIComponent(`calls/${calls}.wav`);
    const { url } = await eventually('file in the cloud', () =>
      api('GET', `/mediaservice/${site.domain}/promptfile/${name}/url`).catch(() => undefined),
    );
    // The signed URL opens it without a token.
    const bytes = Buffer.from(await (await fetch(String(url))).arrayBuffer());
    expect(bytes.length).toBe(ready.fileSize);
    const file = join(folder, 'from-cloud.wav');
    writeFileSync(file, bytes);
    expect(await soxOf(file)).toMatch(/Channels +: 2\nSample Rate +: 8000/);
    const heard = await decodedByFfmpeg(file);
    const [caller, other] = [channelOf(heard, 0), channelOf(heard, 1)];
    expect(caller.length).toBe(other.length);
    // A call of three seconds of speech and one of silence.
    expect(caller.length / 8_000).toBeGreaterThan(3.9);
    expect(caller.length / 8_000).toBeLessThan(6);
    const middle = caller.subarray(8_000, 12_000);
    expect(levelAt(middle, 1_000) + FULL_DBM0).toBeCloseTo(-20, 0);
    expect(Math.abs(levelAt(middle, 1_000) + FULL_DBM0 + 20)).toBeLessThan(0.5);
    expect(pitchOf(caller.subarray(18_000, 24_000))).toBeCloseTo(700, 0);
    expect(other.every((sample) => sample === 0)).toBe(true);
  });

  it('is moved into object storage under the domain of its tenant', async () => {
    const name = encodeURIComponent(`calls/${calls}.wav`);
    const body = { type: 'objectstore', bucketRegion: 'eu-west-1', bucketName: 'archive' };
    await api('POST', `/mediaservice/${site.domain}/promptfile/${name}/move`, body);
    const held = storage.objects.get(`archive/${site.domain}/calls/${calls}.wav`);
    expect(held).toMatchObject({ region: 'eu-west-1', kmsKey: undefined });
    expect(storage.refusals).toEqual([]);
    await api('GET', `/mediaservice/${site.domain}/promptfile/${name}/url`, undefined, 404);
  });
});

describe('commands about a recording session', () => {
  const command = (name: string, body: object, status = 200) =>
    api('POST', `/callrecording/${site.domain}/${name}`, { method: name.toUpperCase(), ...body }, status);

  it('go through the cloud to the host that has it: files begin and end, are stored, and the session ends', async () => {
    answers.set('/callrecording/newCall', [{ wait: true, sessionReferenceId: { case: '9' } }]);
    const client = await openRecordingClient({
      to: `127.0.0.1:${site.sip}`,
      service: 'rec',
      domain: site.domain,
      user: 'operator',
      password: site.password,
    });
    const { replyId, sessionId } = await heardOf('/callrecording/sessionStarted');
    const session = { replyId, sessionId };
    const first = (await command('startfilerecording', session)).streamId;
    await pass(1_600);
    await command('stopfilerecording', { ...session, recordingId: first });
    const ready = await heardOf('/callrecording/recordingReady', ({ recordingId }) => recordingId === first);
    expect(ready).toMatchObject({ event: 'RECORDINGREADY', sessionReferenceId: { case: '9' } });

    await client.hold(0, true);
    const other = (await command('startfilerecording', session)).streamId;
    await pass(1_600);
    await command('stoprecording', { replyId, recordingId: other });
    await heardOf('/callrecording/recordingReady', ({ recordingId }) => recordingId === other);

    for (const [recordingId, fileName] of [
      [first, 'both.wav'],
      [other, 'held.mp3'],
    ]) {
      await command('storerecording', { replyId, recordingId, destinationBucket: 'calls', fileName });
      await heardOf('/callrecording/recordingStored', (body) => body.recordingId === recordingId);
      writeFileSync(join(folder, String(fileName)), storage.objects.get(`calls/${fileName}`)?.bytes ?? '');
    }
    expect(storage.refusals).toEqual([]);
    const both = await decodedByFfmpeg(join(folder, 'both.wav'));
    const loud = (samples: Int16Array, hz: number) => levelAt(samples, hz) > -40;
    expect([0, 1].map((index) => [1_400, 2_300].map((hz) => loud(channelOf(both, index), hz)))).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(channelOf(both, 0).length).toBe(channelOf(both, 1).length);
    // Whoever is on hold is silent, and the other one goes on.
    const held = await decodedByFfmpeg(join(folder, 'held.mp3'));
    expect([loud(channelOf(held, 0), 1_400), loud(channelOf(held, 1), 2_300)]).toEqual([false, true]);
    expect(await soxOf(join(folder, 'both.wav'))).toMatch(/Channels +: 2/);

    await command('deleterecording', { replyId, recordingId: first });
    await heardOf('/callrecording/recordingDeleted', ({ recordingId }) => recordingId === first);
    expect(await command('stoprecording', { replyId: `${replyId}x`, recordingId: other }, 400)).toMatchObject(
      {
        success: false,
        error: { code: 'replyIdInvalid' },
      },
    );
    await command('stopsession', session);
    expect(await client.over).toBe('server');
    await heardOf('/callrecording/sessionCompleted');
  });
});
