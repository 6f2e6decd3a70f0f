import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenHttps } from '#appliance/io/https-listener/index.ts';
import { openPhone, openRecordingClient } from '#appliance/simulator/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { Place } from '#test/bench/support/place.ts';
import { type ObjectServer, objectServer } from '#test/support/object-server.ts';
import { METADATA } from '#test/support/recording-house.ts';
import { type BrokeredSite, startBrokeredSite } from './support/brokered-site.ts';
import { runProgram } from './support/program.ts';
import { runSipp } from './support/sipp.ts';
import { ack, hangsUp, hear, invite, pause, scenario, trying } from './support/sipp-scenario.ts';
import { SiprecEar } from './support/siprec-ear.ts';
import { channelOf, decodedByFfmpeg, levelAt, pitchOf } from './support/sound.ts';

/*
 * Recordings all the way, each program a process of its own:
 *
 *   telephone, recording client ─ SIP, RTP ─▶ appliance ─ mutual TLS ─▶ cloud ─ signed URL ─▶ ffmpeg, sox
 *   commands ─▶ cloud ─ MQTT ─▶ appliance ─▶ objects, signed and checked
 */
const KEY = { keyId: 'AKIDEXAMPLE', secret: 'a/secret+with%signs' };
/** SIPp, as a recording client behind a trunk. */
const CLIENT = '127.0.0.7';
/** A sine of 1 kHz that A-law writes as eight signs. */
const SINE_1K = [0xd5, 0xa1, 0xb9, 0xa1, 0xd5, 0x21, 0x39, 0x21];
/** Full scale of a sine is +3.14 dBm0 (G.711). */
const FULL_DBM0 = 3.14;

const place = new Place();
let site: BrokeredSite;
let storage: ObjectServer;
let folder: string;
type Body = Readonly<Record<string, unknown>>;
const callbacks: { readonly path: string; readonly body: Body }[] = [];
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
      callbacks.push({ path, body: (await request.json()) as Body });
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
  await api('POST', `/provisioning/trunk/${site.domain}`, {
    name: 'Recording client',
    direction: 'in',
    ipAllowList: [`${CLIENT}/32`],
    srtp: 'never',
  });
});
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
        `no ${what}; told ${callbacks.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join('\n')}`,
      );
    await pass(100);
  }
}
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const callbackOf = (path: string, fits: (body: Body) => boolean = () => true) =>
  eventually(path, () => callbacks.find((each) => each.path === path && fits(each.body))?.body);

const command = (name: string, body: object, status = 200) =>
  api('POST', `/callrecording/${site.domain}/${name}`, { method: name.toUpperCase(), ...body }, status);

/** Another program has looked at it, too: whole, 8 kHz, so many channels. */
async function soxOf(path: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('sox', ['--i', path]);
  if (code !== 0 || stderr !== '') throw new Error(`sox ${code}: ${stderr}`);
  return stdout;
}

describe('a recording of a media service', () => {
  it('goes to the cloud by TLS and is played from there with both sides, at its level', async () => {
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
    const { outcome, ready } = await eventually('recording', async () => {
      const recordingFileName = `calls/${++calls}.wav`;
      answers.set('/mediaservice/newCall', [{ action: 'ivr', callRecording: true, recordingFileName }]);
      answers.set('/mediaservice/getIvrCommand', [
        { phrases: [{ format: 'tone', frequency: 1_000, duration: 2_000, level: -20 }] },
        { getIVRCommandAfter: 3_600 },
      ]);
      const outcome = await phone.call('ivr', 1_000);
      if (!outcome.answered) return undefined;
      const ready = await callbackOf(
        '/mediaservice/recordingReady',
        (body) => body.recordingFileName === recordingFileName,
      );
      return { outcome, ready };
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
    const decoded = await decodedByFfmpeg(file);
    const [caller, other] = [channelOf(decoded, 0), channelOf(decoded, 1)];
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

  it('is moved into object storage under its own name', async () => {
    const name = encodeURIComponent(`calls/${calls}.wav`);
    const body = { type: 'objectstore', bucketRegion: 'eu-west-1', bucketName: 'archive' };
    await api('POST', `/mediaservice/${site.domain}/promptfile/${name}/move`, body);
    const held = storage.objects.get(`archive/calls/${calls}.wav`);
    expect(held).toMatchObject({ region: 'eu-west-1', kmsKey: undefined });
    expect(storage.refusals).toEqual([]);
    await api('GET', `/mediaservice/${site.domain}/promptfile/${name}/url`, undefined, 404);
  });
});

describe('commands about a recording session', () => {
  it('go through the cloud to the host that has it: files begin and end, are stored, and the session ends', async () => {
    answers.set('/callrecording/newCall', [{ wait: true, sessionReferenceId: { case: '9' } }]);
    const client = await openRecordingClient({
      to: `127.0.0.1:${site.sip}`,
      service: 'rec',
      domain: site.domain,
      user: 'operator',
      password: site.password,
    });
    const { replyId, sessionId } = await callbackOf('/callrecording/sessionStarted');
    const session = { replyId, sessionId };
    const first = (await command('startfilerecording', session)).streamId;
    await pass(1_600);
    await command('stopfilerecording', { ...session, recordingId: first });
    const ready = await callbackOf(
      '/callrecording/recordingReady',
      ({ recordingId }) => recordingId === first,
    );
    expect(ready).toMatchObject({ event: 'RECORDINGREADY', sessionReferenceId: { case: '9' } });

    await client.hold(0, true);
    const other = (await command('startfilerecording', session)).streamId;
    await pass(1_600);
    await command('stoprecording', { replyId, recordingId: other });
    await callbackOf('/callrecording/recordingReady', ({ recordingId }) => recordingId === other);

    for (const [recordingId, fileName] of [
      [first, 'both.wav'],
      [other, 'held.mp3'],
    ]) {
      await command('storerecording', { replyId, recordingId, destinationBucket: 'calls', fileName });
      await callbackOf('/callrecording/recordingStored', (body) => body.recordingId === recordingId);
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
    // The party on hold is silent, and the other one goes on.
    const held = await decodedByFfmpeg(join(folder, 'held.mp3'));
    expect([loud(channelOf(held, 0), 1_400), loud(channelOf(held, 1), 2_300)]).toEqual([false, true]);
    expect(await soxOf(join(folder, 'both.wav'))).toMatch(/Channels +: 2/);

    await command('deleterecording', { replyId, recordingId: first });
    await callbackOf('/callrecording/recordingDeleted', ({ recordingId }) => recordingId === first);
    expect(await command('stoprecording', { replyId: `${replyId}x`, recordingId: other }, 400)).toMatchObject(
      {
        success: false,
        error: { code: 'replyIdInvalid' },
      },
    );
    await command('stopsession', session);
    expect(await client.over).toBe('server');
    await callbackOf('/callrecording/sessionCompleted');
  });

  it('send it on to a recording server of another make: the speech of each arrives there, and a party that joins is reported', async () => {
    answers.set('/callrecording/newCall', [{ wait: true }]);
    const known = new Set(callbacks.map(({ body }) => body));
    const ear = await SiprecEar.open();
    const client = await openRecordingClient({
      to: `127.0.0.1:${site.sip}`,
      service: 'rec',
      domain: site.domain,
      user: 'operator',
      password: site.password,
    });
    try {
      const { replyId, sessionId } = await callbackOf(
        '/callrecording/sessionStarted',
        (body) => !known.has(body),
      );
      const session = { replyId, sessionId };
      const { streamId } = await command('startsiprecforward', {
        ...session,
        destinations: [ear.address],
        headers: { 'X-Case': '17' },
        metadata: { case: '17' },
      });
      expect(
        await callbackOf('/callrecording/streamStarted', (body) => body.streamId === streamId),
      ).toMatchObject({ url: ear.address, channels: 2 });
      const [invite] = ear.invites;
      expect(invite?.headers.get('require')).toBe('siprec');
      expect(invite?.headers.get('contact')).toContain('+sip.src');
      expect(invite?.headers.get('x-case')).toBe('17');
      expect(invite?.sdp.match(/^a=label:\S+|^a=sendonly/gm)).toEqual([
        ...['a=sendonly', 'a=label:1'],
        ...['a=sendonly', 'a=label:2'],
      ]);
      expect(invite?.metadata).toContain('name="case">17</data>');
      // Each says its tone half of the time, and nothing of the other is on its stream.
      const loud = (stream: number, hz: number) => levelAt(ear.received(stream), hz) + FULL_DBM0 > -20;
      for (const [stream, hz] of [
        [0, 1_400],
        [1, 2_300],
      ] as const)
        await eventually(`tone on stream ${stream}`, () => loud(stream, hz) || undefined);
      expect([levelAt(ear.received(0), 2_300), levelAt(ear.received(1), 1_400)].every((db) => db < -60)).toBe(
        true,
      );
      await client.join('Cay', 'sip:cay@guest.example');
      await eventually('metadata', () => ear.updates.find((text) => text.includes('Cay')));
      await command('stopsiprecforward', { ...session, streamId });
      await callbackOf('/callrecording/streamStopped', (body) => body.streamId === streamId);
      await eventually('BYE', () => ear.byes || undefined);
      await command('stopsiprecforward', session, 404);
      await command('stopsession', session);
      expect(await client.over).toBe('server');
    } finally {
      ear.close();
    }
  });
});

describe('a recording session of SIPp', () => {
  it('is taken as a body of two parts, and recorded: a tone on the first stream, silence on the other', async () => {
    const tone = join(folder, 'tone.alaw');
    writeFileSync(tone, Buffer.from(Array.from({ length: 2_000 }, () => SINE_1K).flat()));
    const lines = [
      ...['--b', 'Content-Type: application/sdp', ''],
      ...['v=0', 'o=sipp 1 1 IN IP4 [local_ip]', 's=-', 'c=IN IP4 [media_ip]', 't=0 0'],
      ...['m=audio [media_port] RTP/AVP 8', 'a=sendonly', 'a=label:96'],
      ...['m=audio [media_port+2] RTP/AVP 8', 'a=sendonly', 'a=label:97'],
      ...['--b', 'Content-Type: application/rs-metadata+xml', 'Content-Disposition: recording-session', ''],
      ...METADATA.trim().split('\n'),
      '--b--',
    ];
    const body = { type: 'multipart/mixed;boundary=b', lines };
    answers.set('/callrecording/newCall', [{ startFileRecording: { recordingReferenceId: { by: 'sipp' } } }]);
    const run = {
      scenario: scenario(
        'siprec',
        invite({ body, headers: ['Require: siprec'] }),
        trying,
        hear(200),
        ack(),
        `<nop><action><exec rtp_stream="${tone},1,8"/></action></nop>`,
        pause(2_000),
        hangsUp(),
      ),
      ...{ transport: 'udp' as const, port: site.sip, from: CLIENT, domain: site.domain, withinS: 6 },
      calls: [['+4670', 'rec']],
    };
    // Challenged until the trunk has come to the appliance.
    const outcome = await eventually('trunk', async () => {
      const tried = await runSipp(run);
      return tried.errors.includes('401 Unauthorized') ? undefined : tried;
    });
    expect(outcome).toMatchObject({ code: 0, errors: '' });
    expect(/^SIP\/2\.0 200[\s\S]*?(?=^-----)/m.exec(outcome.messages)?.[0].match(/^a=\w+only/gm)).toEqual([
      'a=recvonly',
      'a=recvonly',
    ]);
    const ready = await callbackOf('/callrecording/recordingReady', (each) =>
      JSON.stringify(each.recordingReferenceId ?? {}).includes('sipp'),
    );
    const { replyId, recordingId } = ready;
    const said = callbacks.find(
      ({ path, body: each }) => path === '/callrecording/newCall' && each.recordingId === recordingId,
    );
    expect(String(said?.body.metaData)).toContain('Anna &amp; Co');
    await command('storerecording', {
      ...{ replyId, recordingId, destinationBucket: 'calls', fileName: 'sipp.wav' },
    });
    await callbackOf('/callrecording/recordingStored', (each) => each.recordingId === recordingId);
    writeFileSync(join(folder, 'sipp.wav'), storage.objects.get('calls/sipp.wav')?.bytes ?? '');
    const decoded = await decodedByFfmpeg(join(folder, 'sipp.wav'));
    const [first, second] = [channelOf(decoded, 0), channelOf(decoded, 1)];
    expect(first.length).toBe(second.length);
    expect(pitchOf(first.subarray(4_000, 12_000))).toBeCloseTo(1_000, 0);
    expect(second.every((sample) => sample === 0)).toBe(true);
  });
});
