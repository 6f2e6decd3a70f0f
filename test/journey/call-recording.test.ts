import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { readMetadata } from '#appliance/call/siprec/index.ts';
import { readReplyId } from '#appliance/callback/index.ts';
import { levelOf } from '#appliance/media/audio/index.ts';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import { readWav } from '#appliance/media/recording/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { replicatedRecordingServiceSchema } from '#shared/contract/provisioning/index.ts';
import type { RecordingRequest } from '#shared/contract/runtime/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import type { Phone } from '#test/support/phone.ts';
import { type TestSound, testSound } from '#test/support/sound.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

const METADATA = readFileSync(join(import.meta.dirname, '../vectors/siprec/complete.xml'), 'utf8');

let folder: string;
let threads: TestSound;
let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let client: Telephone;
let second: Phone;
let decision: unknown;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-siprec-'));
  threads = testSound({ folder, allowPrivate: ['127.0.0.0/8'] });
  appliance = await testAppliance({ folder, sound: threads.rim });
  const body = { name: 'Recorder', destinationMatch: '^rec$', callbackBaseUrl: 'https://app.example/rec' };
  appliance.tenant.put(
    'callrecording',
    'rec-1',
    replicatedRecordingServiceSchema.parse({ id: 'rec-1', ...body }),
  );
  appliance.answerBy(({ call }) => answered(call.path === '/newCall' ? decision : {}));
  net = telephones(appliance);
  client = await net.device('src', '192.0.2.30');
  second = appliance.media.phone({ host: '192.0.2.30', port: 4_010 });
  decision = { startFileRecording: { recordingReferenceId: { case: '17' } }, sessionReferenceId: { a: 1 } };
});
afterEach(async () => {
  await appliance.close(true);
  await threads.close();
  rmSync(folder, { recursive: true, force: true });
});

const description = (ports: readonly number[] = [4_000, 4_010], version = 1) =>
  [
    'v=0',
    `o=- 1 ${version} IN IP4 192.0.2.30`,
    's=-',
    'c=IN IP4 192.0.2.30',
    't=0 0',
    ...ports.flatMap((port, index) => [`m=audio ${port} RTP/AVP 8`, 'a=sendonly', `a=label:${96 + index}`]),
    '',
  ].join('\r\n');

const multipart = (metadata = METADATA, sdp = description()) =>
  [
    '--b',
    'Content-Type: application/sdp',
    '',
    sdp,
    '--b',
    'Content-Type: application/rs-metadata+xml',
    'Content-Disposition: recording-session',
    '',
    metadata,
    '--b--',
    '',
  ].join('\r\n');

const begin = (metadata?: string) =>
  client.invite('rec', net.pump, {
    sdp: multipart(metadata),
    contentType: 'multipart/mixed;boundary=b',
    // RFC 7866 6.1.1.
    headers: [['Require', 'siprec']],
  });

/** The session stands; both streams go where the answer says. */
async function opened(): Promise<Talk> {
  const talk = await begin();
  const ok = client.response(200);
  client.acknowledge(talk, ok);
  const answer = must(parseSdp(ok.body));
  expect(answer.media.map(({ direction, port }) => [direction, port > 0])).toEqual([
    ['recvonly', true],
    ['recvonly', true],
  ]);
  second.talkTo(answer.media[1]?.port ?? 0);
  await net.pump();
  return talk;
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 400) {
    await net.after(Math.min(left, 400), 100);
    await threads.caughtUp();
  }
}

const told = (path?: string) =>
  appliance.posted.filter(({ call }) => path === undefined || call.path === path).map(({ body }) => body);
const events = () => told().map(({ event }) => event ?? 'newCall');
async function heardOf(path: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 10_000;
  while (told(path).length === 0) {
    if (Date.now() > deadline) throw new Error(`no ${path}; told ${events().join(', ')}`);
    await net.after(100, 100);
  }
  return told(path).at(-1) ?? {};
}
const hangsUp = async (talk: Talk) => {
  client.inDialog(talk, 'BYE');
  await net.pump();
  client.response(200, 'BYE');
};
const operate = (command: string, body: Record<string, unknown>) => {
  const replyId = String(body.replyId);
  const { domain } = appliance.tenant;
  const claims = must(
    readReplyId(replyId, { domain, wallMs: appliance.clock.wallMs(), maxAgeS: 604_800 }, () => true),
  );
  const { session, refers } = claims;
  const desk = appliance.runtime.recordings;
  if (desk === undefined) throw new Error('nothing records here');
  return desk.operate({ command, body } as unknown as RecordingRequest, { session, refers });
};

describe('a recording session', () => {
  it('is asked about, recorded with a channel per stream, told, stored with a cut and a mask, and deleted', async () => {
    const talk = await opened();
    expect(told('/newCall')).toEqual([
      expect.objectContaining({
        metaData: METADATA,
        sipRecCallId: talk.callId,
        domain: 'care.example',
      }),
    ]);
    client.audio.say(render([tone(1_400, 500)]));
    await pass(1_000);
    second.say(render([tone(2_300, 500)]));
    await pass(1_000);
    await hangsUp(talk);
    const ready = await heardOf('/recordingReady');
    const { recordingId, sessionId, replyId } = told('/newCall')[0] ?? {};
    expect(ready).toMatchObject({
      event: 'RECORDINGREADY',
      recordingId,
      sessionId,
      domain: 'care.example',
      sessionReferenceId: { a: 1 },
      recordingReferenceId: { case: '17' },
    });
    expect(events()).toEqual(
      expect.arrayContaining(['SESSIONSTARTED', 'RECORDINGSTARTED', 'SESSIONCOMPLETED']),
    );
    const file = join(threads.recordings, String(ready.fileName));
    const bytes = readFileSync(file);
    expect(ready.fileSize).toBe(bytes.length);
    const heard = must(hearFile(bytes, 'alarm')).map((each) => [
      each.channel,
      'frequency' in each ? Math.round(each.frequency / 100) * 100 : each.digit,
    ]);
    expect(heard).toEqual([
      [1, 1_400],
      [2, 2_300],
    ]);
    const whole = must(readWav(bytes)).channels[0]?.length ?? 0;
    expect(Math.abs(Number(ready.duration) - whole / 8)).toBeLessThanOrEqual(20);

    const body = {
      method: 'STORERECORDING',
      replyId: ready.replyId,
      recordingId,
      destinationBucket: 'archive',
      fileName: 'case-17.wav',
      modificationParams: { trim: { from: 200 }, mask: { from: 0, to: 900 } },
    };
    expect(await operate('storerecording', body)).toMatchObject({ ok: true });
    const stored = must(readWav(readFileSync(join(folder, 'object/archive/case-17.wav'))));
    expect(Math.abs((stored.channels[0]?.length ?? 0) - (whole - 1_600))).toBeLessThanOrEqual(160);
    const left = must(hearFile(readFileSync(join(folder, 'object/archive/case-17.wav')), 'alarm'));
    expect(left.map(({ channel }) => channel)).toEqual([2]);
    expect(
      await operate('storerecording', { ...body, fileName: undefined, modificationParams: undefined }),
    ).toMatchObject({ ok: true });
    expect(await operate('storerecording', body)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await heardOf('/recordingStored')).toMatchObject({ destinationBucket: 'archive', recordingId });
    expect(
      await operate('deleterecording', { method: 'DELETERECORDING', replyId, recordingId }),
    ).toMatchObject({ ok: true });
    expect(await heardOf('/recordingDeleted')).toMatchObject({ event: 'RECORDINGDELETED', recordingId });
    expect(threads.rim.shelf.pathOf(String(ready.fileName))).toBeUndefined();
  });

  it('is refused when the application drops it, and with 503 when nobody decides', async () => {
    decision = { drop: true };
    await begin();
    client.response(603);
    decision = 'no JSON at all';
    await begin();
    client.response(503);
    expect(appliance.media.openLegs).toEqual([]);
  });

  it('with damaged metadata is refused with the reason; the next one is taken', async () => {
    await begin('<recording><stream>');
    expect(client.response(400).header('Warning')).toMatch(/recording metadata is no XML/);
    await opened();
  });

  it('waits for commands: files and live streams begin and end by them', async () => {
    decision = { wait: true };
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const frames: Buffer[] = [];
    server.on('connection', (socket) => socket.on('message', (data) => frames.push(data as Buffer)));
    const talk = await opened();
    const { replyId, sessionId } = await heardOf('/sessionStarted');
    expect(events()).not.toContain('RECORDINGSTARTED');
    const target = {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      channels: ['97', '96'],
    };
    const streaming = must(
      (await operate('startstream', {
        method: 'STARTSTREAM',
        replyId,
        sessionId,
        streamTarget: target,
      })) as never,
    ) as { streamId: string };
    const recording = must(
      (await operate('startfilerecording', { method: 'STARTFILERECORDING', replyId, sessionId })) as never,
    ) as { streamId: string };
    await heardOf('/streamStarted');
    second.say(render([tone(1_000, 400)]));
    await pass(800);
    const loud = (from: number) =>
      frames.some((frame) => levelOf(new Int16Array(new Uint8Array(frame).buffer, from, 160)) > -30);
    await until(() => loud(0));
    // The frame holds a chunk of each channel in the order that was asked for: the second stream is the first.
    expect([loud(0), loud(320)]).toEqual([true, false]);
    expect(
      await operate('stopstream', { method: 'STOPSTREAM', replyId, sessionId, streamId: streaming.streamId }),
    ).toMatchObject({ ok: true });
    expect(await heardOf('/streamStopped')).toMatchObject({ streamId: streaming.streamId });
    expect(
      await operate('stopstream', { method: 'STOPSTREAM', replyId, sessionId, streamId: 'none' }),
    ).toMatchObject({ ok: false });
    expect(await heardOf('/stopStreamFailed')).toMatchObject({ streamId: 'none', error: expect.any(String) });
    const recordingId = recording.streamId;
    expect(
      await operate('cancelrecording', { method: 'CANCELRECORDING', replyId, recordingId }),
    ).toMatchObject({ ok: true });
    await heardOf('/recordingCancelled');
    expect(await operate('stopsession', { method: 'STOPSESSION', replyId, sessionId })).toMatchObject({
      ok: true,
    });
    await net.pump();
    client.request('BYE');
    await heardOf('/sessionCompleted');
    expect(events()).not.toContain('RECORDINGREADY');
    expect(talk.theirTag).not.toBe('');
    server.close();
  });

  it('keeps the channels when a re-INVITE takes a stream away and brings it back', async () => {
    const talk = await opened();
    client.audio.say(render([tone(1_400, 300)]));
    await pass(800);
    client.inDialog(talk, 'INVITE', { sdp: description([0, 4_010], 2) });
    await net.pump();
    client.inDialog(talk, 'ACK', { cseq: client.response(200).cseq.seq });
    second.say(render([tone(2_300, 300)]));
    await pass(1_200);
    await hangsUp(talk);
    const ready = await heardOf('/recordingReady');
    const bytes = readFileSync(join(threads.recordings, String(ready.fileName)));
    expect(must(hearFile(bytes, 'alarm')).map(({ channel }) => channel)).toEqual([1, 2]);
    const wav = must(readWav(bytes));
    expect(wav.channels[0]?.length).toBe(wav.channels[1]?.length);
  });

  it('hears who joins, leaves and is held by UPDATE and re-INVITE; later callbacks say it', async () => {
    decision = { wait: true };
    const talk = await opened();
    const { replyId, sessionId } = await heardOf('/sessionStarted');
    const [anna, second97] = ['srfBElmCRp2QB23b7Mpk0w==', 'i1Pz3to5hGk8fuXl+PbwCw=='];
    const partial = (inside: string) =>
      `<recording xmlns="urn:ietf:params:xml:ns:recording:1"><datamode>partial</datamode>${inside}</recording>`;
    const update = async (body: string, status = 200) => {
      client.inDialog(talk, 'UPDATE', {
        headers: [
          ['Content-Type', 'application/rs-metadata+xml'],
          ['Content-Disposition', 'recording-session'],
        ],
        body,
      });
      await net.pump();
      client.response(status, 'UPDATE');
    };
    const joins = `<participant participant_id="c-1"><nameID aor="sip:cay@care.example"><name>Cay</name></nameID></participant>
      <participantstreamassoc participant_id="c-1"><send>${second97}</send></participantstreamassoc>`;
    await update(partial(joins));
    const record = () =>
      operate('startfilerecording', { method: 'STARTFILERECORDING', replyId, sessionId }) as never;
    must(await record());
    const { metaData } = await heardOf('/recordingStarted');
    const known = must(readMetadata(Buffer.from(String(metaData))));
    expect(known.participants.map(({ name }) => name)).toEqual(['Anna & Co', 'Bo', 'Cay']);
    expect(known.streams.map(({ label, participants }) => `${label} ${participants.length}`)).toEqual([
      '96 1',
      '97 2',
    ]);

    // Anna is put on hold: her stream stays in the description, and is silent.
    const held = partial(`<participantstreamassoc participant_id="${anna}"/>`);
    const inactive = description([4_000, 4_010], 2).replace('a=sendonly', 'a=inactive');
    client.inDialog(talk, 'INVITE', {
      headers: [['Content-Type', 'multipart/mixed;boundary=b']],
      body: multipart(held, inactive),
    });
    const { cseq } = talk;
    await net.pump();
    const again = client.response(200);
    client.inDialog(talk, 'ACK', { cseq });
    expect(must(parseSdp(again.body)).media.map(({ direction }) => direction)).toEqual([
      'inactive',
      'recvonly',
    ]);
    // What cannot be read takes nothing away, and no audio either.
    await update('<recording><participant');
    await pass(500);

    must(await record());
    const deadline = Date.now() + 10_000;
    while (told('/recordingStarted').length < 2 && Date.now() < deadline) await net.after(100, 100);
    const latest = told('/recordingStarted').at(-1);
    const after = must(readMetadata(Buffer.from(String(latest?.metaData))));
    expect(after.streams.map(({ participants }) => participants.length)).toEqual([0, 2]);
    await hangsUp(talk);
    await heardOf('/sessionCompleted');
    await net.after(2_000, 500);
    const traced = appliance.trace(String(latest?.traceId)).map((entry) => JSON.stringify(entry));
    for (const text of ['Cay joins', 'stream 96 is of nobody', 'metadata that followed'])
      expect(traced.filter((line) => line.includes(text))).toHaveLength(1);
  });

  it('file recordings end by stopfilerecording and stoprecording, and are kept; what never ran is told', async () => {
    decision = { wait: true };
    const talk = await opened();
    const { replyId, sessionId } = await heardOf('/sessionStarted');
    const begun = async () => {
      const done = await operate('startfilerecording', { method: 'STARTFILERECORDING', replyId, sessionId });
      return (must(done as never) as { streamId: string }).streamId;
    };
    const [first, other] = [await begun(), await begun()];
    expect(first).not.toBe(other);
    client.audio.say(render([tone(1_400, 400)]));
    await pass(800);
    const stop = (recordingId: string) =>
      operate('stopfilerecording', { method: 'STOPFILERECORDING', replyId, sessionId, recordingId });
    expect(await stop(first)).toMatchObject({ ok: true });
    const ready = await heardOf('/recordingReady');
    expect(ready).toMatchObject({ event: 'RECORDINGREADY', recordingId: first, sessionId });
    second.say(render([tone(2_300, 400)]));
    await pass(800);
    expect(
      await operate('stoprecording', { method: 'STOPRECORDING', replyId, recordingId: other }),
    ).toMatchObject({ ok: true });
    const deadline = Date.now() + 10_000;
    while (told('/recordingReady').length < 2 && Date.now() < deadline) await net.after(100, 100);
    const [one, both] = told('/recordingReady').map(({ fileName }) =>
      must(hearFile(readFileSync(join(threads.recordings, String(fileName))), 'alarm')).map(
        ({ channel }) => channel,
      ),
    );
    expect([one, both]).toEqual([[1], [1, 2]]);

    expect(await stop(first)).toMatchObject({ ok: false, error: { code: 'sessionUnknown' } });
    expect(await heardOf('/stopFileRecordingFailed')).toMatchObject({
      event: 'STOPFILERECORDINGFAILED',
      recordingId: first,
      error: expect.stringMatching(/no such recording/),
    });
    expect(
      await operate('stoprecording', { method: 'STOPRECORDING', replyId, recordingId: 'none' }),
    ).toMatchObject({ ok: false, error: { code: 'sessionUnknown' } });
    expect(told('/sessionCompleted')).toEqual([]);
    await hangsUp(talk);
    await heardOf('/sessionCompleted');
    expect(told('/recordingReady')).toHaveLength(2);
  });
});
