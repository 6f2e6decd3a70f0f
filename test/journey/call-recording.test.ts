import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { levelOf } from '#appliance/media/audio/index.ts';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import { readWav } from '#appliance/media/recording/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { must } from '#test/support/media.ts';
import { description, METADATA, type RecordingHouse, recordingHouse } from '#test/support/recording-house.ts';
import type { Talk } from '#test/support/telephone.ts';

let house: RecordingHouse;
let folder: string;
let threads: RecordingHouse['threads'];
let appliance: RecordingHouse['appliance'];
let net: RecordingHouse['net'];
let client: RecordingHouse['client'];
let second: RecordingHouse['second'];

beforeEach(async () => {
  house = await recordingHouse();
  ({ folder, threads, appliance, net, client, second } = house);
});
afterEach(() => house.close());

const begin = (metadata?: string) => house.begin(metadata);
const opened = () => house.opened();
const pass = (ms: number) => house.pass(ms);
const reported = (path?: string) => house.told(path);
const events = () => house.events();
const receivedOf = (path: string, times?: number) => house.received(path, times);
const hangsUp = (talk: Talk) => house.hangsUp(talk);
const operate = (command: string, body: Record<string, unknown>) => house.operate(command, body);

describe('a recording session', () => {
  it('is asked about, recorded with a channel per stream, reported, stored with a cut and a mask, and deleted', async () => {
    const talk = await opened();
    expect(reported('/newCall')).toEqual([
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
    const ready = await receivedOf('/recordingReady');
    const { recordingId, sessionId, replyId } = reported('/newCall')[0] ?? {};
    expect(ready).toMatchObject({
      event: 'RECORDINGREADY',
      recordingId,
      sessionId,
      domain: 'care.example',
      sessionReferenceId: { a: 1 },
      commandRegion: 'north',
      commandQueue: 'mqtts://box-1.example:8883/cmd/care.example/callrecording',
      recordingReferenceId: { case: '17' },
    });
    expect(events()).toEqual(
      expect.arrayContaining(['SESSIONSTARTED', 'RECORDINGSTARTED', 'SESSIONCOMPLETED']),
    );
    const file = join(threads.recordings, String(ready.fileName));
    const bytes = readFileSync(file);
    expect(ready.fileSize).toBe(bytes.length);
    const received = must(hearFile(bytes, 'alarm')).map((each) => [
      each.channel,
      'frequency' in each ? Math.round(each.frequency / 100) * 100 : each.digit,
    ]);
    expect(received).toEqual([
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
    // The same piece by the clock on the wall.
    const [{ startTime } = {}] = reported('/sessionStarted');
    const absolute = { absoluteTimes: true, trim: { from: Number(startTime) + 200 } };
    expect(
      await operate('storerecording', { ...body, fileName: 'clock.wav', modificationParams: absolute }),
    ).toMatchObject({ ok: true });
    const byClock = must(readWav(readFileSync(join(folder, 'object/archive/clock.wav'))));
    expect(Math.abs((byClock.channels[0]?.length ?? 0) - (whole - 1_600))).toBeLessThanOrEqual(320);
    expect(
      await operate('storerecording', { ...body, fileName: undefined, modificationParams: undefined }),
    ).toMatchObject({ ok: true });
    expect(await operate('storerecording', body)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await receivedOf('/recordingStored')).toMatchObject({ destinationBucket: 'archive', recordingId });
    expect(
      await operate('deleterecording', { method: 'DELETERECORDING', replyId, recordingId }),
    ).toMatchObject({ ok: true });
    expect(await receivedOf('/recordingDeleted')).toMatchObject({ event: 'RECORDINGDELETED', recordingId });
    expect(threads.adapters.recordingStore.pathOf(String(ready.fileName))).toBeUndefined();
    await pass(400);
    expect(appliance.records.all().map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "configRevision": 7,
          "deliveries": {
            "count": 4,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "src",
          "durationMs": 2000,
          "from": "src",
          "kind": "recording",
          "legs": [
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "1",
              "lost": 0,
              "mos": 4.37,
              "received": 100,
            },
          ],
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "reason": "The call ended: Q.850 16 Normal call clearing",
          "receiver": "rec-1",
          "receiverName": "Recorder",
          "recordings": [
            "callrecording/ID.wav",
          ],
          "requestUri": "sip:rec@care.example",
          "result": "done",
          "rule": "destinationMatch ^rec$",
          "source": "192.0.2.30",
          "times": {
            "arrived": 0,
            "callbackAnswered": 0,
            "deviceAnswered": 0,
            "ended": 2000,
          },
          "to": "rec",
          "v": 1,
        },
      ]
    `);
  });

  it('is refused when the application drops it, and with 503 without a decision', async () => {
    house.application.decision = { drop: true };
    await begin();
    client.response(603);
    house.application.decision = 'no JSON at all';
    await begin();
    client.response(503);
    expect(appliance.media.openLegs).toEqual([]);
  });

  it('refuses a stream that cannot be with its place and with the labels that are there', async () => {
    house.application.decision = { wait: true };
    await opened();
    const { replyId, sessionId } = await receivedOf('/sessionStarted');
    const start = (streamTarget: object) =>
      operate('startstream', { method: 'STARTSTREAM', replyId, sessionId, streamTarget });
    const url = 'wss://ai.example/in';
    const refused = (path: string, reason: RegExp) => ({
      ok: false,
      error: { code: 'invalid', path, reason: expect.stringMatching(reason) },
    });
    expect(await start({ url: 'http://ai.example/in' })).toMatchObject(
      refused('/streamTarget/url', /wss:\/\/ or ws:\/\//),
    );
    expect(await start({ url, chunkDuration: 33 })).toMatchObject(
      refused('/streamTarget/chunkDuration', /multiple of 20 ms, and is 33/),
    );
    expect(await start({ url, channels: ['96', '99'] })).toMatchObject(
      refused('/streamTarget/channels/1', /label 99; the session has the labels 96, 97/),
    );
    await net.after(1_000, 100);
    expect(reported('/streamFailed')).toEqual([]);
  });

  it('goes on when the stream of the decision cannot be, and says why', async () => {
    const startStream = { url: 'wss://ai.example/in', channels: ['99'], streamReferenceId: { case: '3' } };
    house.application.decision = { startStream };
    await opened();
    expect(await receivedOf('/streamFailed')).toMatchObject({
      event: 'STREAMFAILED',
      url: 'wss://ai.example/in',
      streamReferenceId: { case: '3' },
      reason: expect.stringMatching(/^\/startStream\/channels\/0: no stream has the label 99/),
    });
    expect(reported('/sessionCompleted')).toEqual([]);
  });

  it('has the traceId of the application from its decision on; the trace says where it began', async () => {
    house.application.decision = { startFileRecording: {}, traceId: 'case-17/leg-1' };
    const talk = await opened();
    client.audio.say(render([tone(1_400, 400)]));
    await pass(600);
    await hangsUp(talk);
    await receivedOf('/sessionCompleted');
    await receivedOf('/recordingReady');
    const own = String(reported('/newCall')[0]?.traceId);
    const later = appliance.posted.filter(({ call }) => call.path !== '/newCall');
    expect(later.length).toBeGreaterThan(3);
    expect(new Set(later.map(({ call, body }) => `${call.traceId} ${body.traceId}`))).toEqual(
      new Set(['case-17/leg-1 case-17/leg-1']),
    );
    await net.after(2_000, 500);
    const lines = appliance.trace('case-17/leg-1').map((entry) => JSON.stringify(entry));
    expect(lines.join()).toContain(`the trace began as ${own}`);
  });

  it('keeps its own traceId where that of the application cannot be sent in a header', async () => {
    house.application.decision = { startFileRecording: {}, traceId: 'a\r\nX-Evil: 1' };
    await opened();
    const { traceId } = await receivedOf('/recordingStarted');
    expect(traceId).toBe(reported('/newCall')[0]?.traceId);
  });

  it('that is only taken says that nothing is recorded, and waits', async () => {
    house.application.decision = {};
    await opened();
    expect(await receivedOf('/sessionStarted')).toMatchObject({
      reason: expect.stringMatching(/nothing is recorded: .* startFileRecording/),
    });
    expect(reported('/recordingStarted')).toEqual([]);
  });

  it('waits for commands: files and live streams begin and end by them', async () => {
    house.application.decision = { wait: true };
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const frames: Buffer[] = [];
    server.on('connection', (socket) => socket.on('message', (data) => frames.push(data as Buffer)));
    const talk = await opened();
    const { replyId, sessionId } = await receivedOf('/sessionStarted');
    expect(events()).not.toContain('RECORDINGSTARTED');
    const target = {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      channels: ['97', '96'],
      trustSelfSigned: true,
      streamReferenceId: { case: 17 },
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
      (await operate('startfilerecording', {
        method: 'STARTFILERECORDING',
        replyId,
        sessionId,
        fileTarget: { recordingReferenceId: { file: 'a' } },
      })) as never,
    ) as { streamId: string };
    const { streamReferenceId, startTime } = await receivedOf('/streamStarted');
    expect([streamReferenceId, startTime]).toEqual([{ case: 17 }, expect.any(Number)]);
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
    expect(await receivedOf('/streamStopped')).toMatchObject({
      streamId: streaming.streamId,
      streamReferenceId: { case: 17 },
      stopTime: expect.any(Number),
    });
    expect(
      await operate('stopstream', { method: 'STOPSTREAM', replyId, sessionId, streamId: 'none' }),
    ).toMatchObject({ ok: false });
    expect(await receivedOf('/stopStreamFailed')).toMatchObject({
      streamId: 'none',
      error: expect.any(String),
    });
    const recordingId = recording.streamId;
    expect(
      await operate('cancelrecording', { method: 'CANCELRECORDING', replyId, recordingId }),
    ).toMatchObject({ ok: true });
    await receivedOf('/recordingCancelled');
    expect(await operate('stopsession', { method: 'STOPSESSION', replyId, sessionId })).toMatchObject({
      ok: true,
    });
    await net.pump();
    client.request('BYE');
    await receivedOf('/sessionCompleted');
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
    const ready = await receivedOf('/recordingReady');
    const bytes = readFileSync(join(threads.recordings, String(ready.fileName)));
    expect(must(hearFile(bytes, 'alarm')).map(({ channel }) => channel)).toEqual([1, 2]);
    const wav = must(readWav(bytes));
    expect(wav.channels[0]?.length).toBe(wav.channels[1]?.length);
  });
});
