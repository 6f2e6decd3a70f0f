import { createDecipheriv } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMetadata } from '#appliance/call/siprec/index.ts';
import { openLocalStorage, openObjectStorage } from '#appliance/io/object-storage/index.ts';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { must } from '#test/support/media.ts';
import { objectServer } from '#test/support/object-server.ts';
import {
  description,
  multipart,
  type RecordingHouse,
  recordingHouse,
} from '#test/support/recording-house.ts';
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

const opened = () => house.opened();
const pass = (ms: number) => house.pass(ms);
const reported = (path?: string) => house.told(path);
const receivedOf = (path: string, times?: number) => house.received(path, times);
const hangsUp = (talk: Talk) => house.hangsUp(talk);
const operate = (command: string, body: Record<string, unknown>) => house.operate(command, body);

describe('a recording session in progress', () => {
  it('hears who joins, leaves and is held by UPDATE and re-INVITE; later callbacks say it', async () => {
    house.application.decision = { wait: true };
    const talk = await opened();
    const { replyId, sessionId } = await receivedOf('/sessionStarted');
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
    const { metaData } = await receivedOf('/recordingStarted');
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
    // A command that cannot be read ends nothing, and no audio either.
    await update('<recording><participant');
    await pass(500);

    must(await record());
    const latest = await receivedOf('/recordingStarted', 2);
    const after = must(readMetadata(Buffer.from(String(latest.metaData))));
    expect(after.streams.map(({ participants }) => participants.length)).toEqual([0, 2]);
    await hangsUp(talk);
    await receivedOf('/sessionCompleted');
    await net.after(2_000, 500);
    const traced = appliance.trace(String(latest.traceId)).map((entry) => JSON.stringify(entry));
    for (const text of ['Cay joins', 'stream 96 is of nobody', 'metadata that followed'])
      expect(traced.filter((line) => line.includes(text))).toHaveLength(1);
  });

  it('file recordings end by stopfilerecording and stoprecording, and are kept; one that never ran is reported', async () => {
    house.application.decision = { wait: true };
    const talk = await opened();
    const { replyId, sessionId } = await receivedOf('/sessionStarted');
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
    const ready = await receivedOf('/recordingReady');
    expect(ready).toMatchObject({ event: 'RECORDINGREADY', recordingId: first, sessionId });
    second.say(render([tone(2_300, 400)]));
    await pass(800);
    expect(
      await operate('stoprecording', { method: 'STOPRECORDING', replyId, recordingId: other }),
    ).toMatchObject({ ok: true });
    await receivedOf('/recordingReady', 2);
    const [one, both] = reported('/recordingReady').map(({ fileName }) =>
      must(hearFile(readFileSync(join(threads.recordings, String(fileName))), 'alarm')).map(
        ({ channel }) => channel,
      ),
    );
    expect([one, both]).toEqual([[1], [1, 2]]);

    expect(await stop(first)).toMatchObject({ ok: false, error: { code: 'sessionUnknown' } });
    expect(await receivedOf('/stopFileRecordingFailed')).toMatchObject({
      event: 'STOPFILERECORDINGFAILED',
      recordingId: first,
      error: expect.stringMatching(/no such recording/),
    });
    expect(
      await operate('stoprecording', { method: 'STOPRECORDING', replyId, recordingId: 'none' }),
    ).toMatchObject({ ok: false, error: { code: 'sessionUnknown' } });
    expect(reported('/sessionCompleted')).toEqual([]);
    await hangsUp(talk);
    await receivedOf('/sessionCompleted');
    expect(reported('/recordingReady')).toHaveLength(2);
  });
});

describe('object storage', () => {
  const KEY = { keyId: 'AKIDEXAMPLE', secret: 'secret' };

  it('takes what is stored, and its result is reported', async () => {
    const server = await objectServer(KEY);
    const storage = { endpoint: server.endpoint, region: 'eu-north-1', ...KEY };
    await house.close();
    house = await recordingHouse({ putObject: openObjectStorage(storage, undefined, [1, 1]) });
    ({ folder, threads, appliance, net, client, second } = house);
    const talk = await opened();
    client.audio.say(render([tone(1_400, 500)]));
    await pass(800);
    await hangsUp(talk);
    const { recordingId, replyId } = await receivedOf('/recordingReady');
    const store = (more: object) =>
      operate('storerecording', { method: 'STORERECORDING', replyId, recordingId, ...more });
    const wanted = { destinationBucket: 'archive', fileName: 'a/b.wav', encryptionKey: 'k1' };
    expect(await store(wanted)).toMatchObject({ ok: true });
    expect(await receivedOf('/recordingStored')).toMatchObject({
      event: 'RECORDINGSTORED',
      recordingId,
      destinationBucket: 'archive',
      fileName: 'a/b.wav',
    });
    const held = server.objects.get('archive/a/b.wav');
    expect(held).toMatchObject({ region: 'eu-north-1', kmsKey: 'k1' });
    const received = must(hearFile(held?.bytes ?? Buffer.alloc(0), 'alarm'));
    expect(received.map((each) => ('frequency' in each ? Math.round(each.frequency / 50) * 50 : ''))).toEqual(
      [1_400],
    );
    expect(await store({ ...wanted, destinationBucket: 'nobody' })).toMatchObject({ ok: true });
    expect(await receivedOf('/recordingFailed')).toMatchObject({
      event: 'RECORDINGFAILED',
      recordingId,
      reason: expect.stringContaining('NoSuchBucket'),
    });
    expect(existsSync(join(folder, 'object/archive'))).toBe(false);
    server.close();
  });

  it('encrypts at the host with a named key, and replaces nothing', async () => {
    const place = mkdtempSync(join(tmpdir(), 'carillon-local-store-'));
    const bucketOf = (bucket: string) => join(place, 'object', bucket);
    await house.close();
    house = await recordingHouse({ sealObject: openLocalStorage(bucketOf, join(place, 'key')) });
    ({ folder, threads, appliance, net, client, second } = house);
    const talk = await opened();
    client.audio.say(render([tone(1_400, 500)]));
    await pass(800);
    await hangsUp(talk);
    const { recordingId, replyId, fileName } = await receivedOf('/recordingReady');
    const wanted = { destinationBucket: 'archive', fileName: 'a/b.wav', encryptionKey: 'tenant:k/1' };
    const store = () =>
      operate('storerecording', { method: 'STORERECORDING', replyId, recordingId, ...wanted });
    expect(await store()).toMatchObject({ ok: true });
    expect(await receivedOf('/recordingStored')).toMatchObject({
      destinationBucket: 'archive',
      fileName: 'a/b.wav',
    });

    const sealed = readFileSync(join(place, 'object/archive/a/b.wav'));
    const original = readFileSync(join(threads.recordings, String(fileName)));
    expect(sealed.subarray(0, 8).toString()).toBe('CARGCM1\n');
    expect(sealed.includes(original.subarray(200, 400))).toBe(false);
    const key = readFileSync(join(place, 'key', `${Buffer.from('tenant:k/1').toString('base64url')}.key`));
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(8, 20));
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(20, -16)), decipher.final()]);
    const received = must(hearFile(plain, 'alarm'));
    expect(received.map((each) => ('frequency' in each ? Math.round(each.frequency / 50) * 50 : ''))).toEqual(
      [1_400],
    );
    expect(existsSync(join(folder, 'object', 'archive'))).toBe(false);
    expect(await store()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(readFileSync(join(place, 'object/archive/a/b.wav')).equals(sealed)).toBe(true);
    rmSync(place, { recursive: true });
  });
});
