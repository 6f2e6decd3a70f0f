import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMetadata } from '#appliance/call/siprec/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { bodyParts, parseSdp } from '#appliance/sip/sdp/index.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { must } from '#test/support/media.ts';
import type { Phone } from '#test/support/phone.ts';
import { description, METADATA, type RecordingHouse, recordingHouse } from '#test/support/recording-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

/* startsiprecforward: a recording session that came is sent on to recording servers, as its client. */
let house: RecordingHouse;
let net: RecordingHouse['net'];
let client: RecordingHouse['client'];
let server: Telephone;
/** Its ear for the second stream. */
let ear: Phone;

beforeEach(async () => {
  house = await recordingHouse();
  ({ net, client } = house);
  house.application.decision = { wait: true };
  server = await net.device('archive', '192.0.2.40');
  ear = house.appliance.media.phone({ host: '192.0.2.40', port: 4_010 });
});
afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(house.appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(house.appliance.media.openLegs).toEqual([]);
  expect(house.appliance.logged.filter((line) => !line.includes('media_service.'))).toEqual([]);
  await house.close();
});

const partsOf = (request: SipRequest) =>
  must(bodyParts(request.header('Content-Type') ?? '', request.body)).map(({ type, content, fields }) => ({
    type,
    text: Buffer.from(content).toString(),
    disposition: fields.get('content-disposition'),
  }));

/** The answer of a server to a description of ours: both streams, or the first alone. */
const taking = (ports: readonly number[] = [server.audio.port, 4_010]): string =>
  description(ports)
    .replaceAll('192.0.2.30', '192.0.2.40')
    .replaceAll('a=sendonly', 'a=recvonly')
    .replaceAll(/a=label:\d+\r\n/g, '');

async function waits(): Promise<{ talk: Talk; session: { replyId: unknown; sessionId: unknown } }> {
  const talk = await house.opened();
  const { replyId, sessionId } = await house.received('/sessionStarted');
  return { talk, session: { replyId, sessionId } };
}

const start = (session: object, more: object = {}) =>
  house.operate('startsiprecforward', {
    method: 'STARTSIPRECFORWARD',
    ...session,
    destinations: ['sip:archive@care.example'],
    ...more,
  });
const stop = (session: object, more: object = {}) =>
  house.operate('stopsiprecforward', { method: 'STOPSIPRECFORWARD', ...session, ...more });

/** The server takes both streams. */
async function taken(): Promise<SipRequest> {
  const invite = server.request('INVITE');
  server.respond(invite, 200, { sdp: taking(), headers: [['Allow', 'INVITE, ACK, BYE, UPDATE']] });
  await net.pump();
  server.request('ACK');
  return invite;
}

async function leaves(): Promise<void> {
  server.respond(server.request('BYE'), 200);
  await net.pump();
}

/** Which of the two streams the server hears, when both ends of the copied call speak. */
async function received(): Promise<{ first: number[]; second: number[] }> {
  server.audio.forget();
  ear.forget();
  client.audio.say(render([tone(1_400, 400, -12)]));
  house.second.say(render([tone(2_300, 400, -12)]));
  await house.pass(800);
  const of = (phone: Phone) => [1_400, 2_300].filter((hz) => levelAt(phone.received, hz) > -30);
  return { first: of(server.audio), second: of(ear) };
}

describe('startsiprecforward', () => {
  it('opens a session of its own: metadata, a stream for each, and what is said goes on', async () => {
    const { talk, session } = await waits();
    const begun = await start(session, {
      headers: { 'X-Case': ['17', '18'] },
      metadata: { case: '17 <b>"' },
    });
    expect(begun).toMatchObject({ ok: true, value: { streamId: expect.any(String) } });
    await net.pump();
    const invite = await taken();
    expect(invite.header('Require')).toBe('siprec');
    expect(invite.headers('X-Case')).toEqual(['17', '18']);
    expect(invite.header('Contact')).toContain(';+sip.src');
    const [sdp, metadata] = partsOf(invite);
    expect(metadata).toMatchObject({
      type: 'application/rs-metadata+xml',
      disposition: 'recording-session',
    });
    // As it came, with what the application has added at its end.
    expect(metadata?.text.startsWith(METADATA.slice(0, METADATA.lastIndexOf('</')))).toBe(true);
    expect(metadata?.text).toContain('name="case">17 &lt;b&gt;"</data>');
    expect(must(readMetadata(Buffer.from(metadata?.text ?? ''))).streams).toEqual(
      must(readMetadata(Buffer.from(METADATA))).streams,
    );
    const { media } = must(parseSdp(Buffer.from(sdp?.text ?? '')));
    expect(media.map(({ direction, label }) => [direction, label])).toEqual([
      ['sendonly', '96'],
      ['sendonly', '97'],
    ]);
    expect(await house.received('/streamStarted')).toMatchObject({
      event: 'STREAMSTARTED',
      url: 'sip:archive@care.example',
      channels: 2,
      streamId: (begun as { value: { streamId: string } }).value.streamId,
    });
    expect(await received()).toEqual({ first: [1_400], second: [2_300] });
    // No party speaks to the client, and no audio of the server is heard anywhere.
    expect(client.audio.packets).toEqual([]);
    await house.hangsUp(talk);
    await leaves();
    await house.received('/streamStopped');
    expect(house.events().filter((event) => String(event).startsWith('S'))).toEqual([
      'SESSIONSTARTED',
      'STREAMSTARTED',
      'STREAMSTOPPED',
      'SESSIONCOMPLETED',
    ]);
  });

  it('leaves a recording beside it as it is', async () => {
    house.application.decision = { startFileRecording: {} };
    const { talk, session } = await waits();
    await start(session);
    await net.pump();
    await taken();
    expect(await received()).toEqual({ first: [1_400], second: [2_300] });
    await house.hangsUp(talk);
    await leaves();
    expect(await house.received('/recordingReady')).toMatchObject({ event: 'RECORDINGREADY' });
  });

  it('notifies the server when a party joins, and follows a stream that goes, comes back and moves', async () => {
    const { talk, session } = await waits();
    await start(session);
    await net.pump();
    await taken();
    const offers = async (sdp: string): Promise<void> => {
      client.inDialog(talk, 'INVITE', { sdp });
      await net.pump();
      client.inDialog(talk, 'ACK', { cseq: client.response(200).cseq.seq });
      await house.pass(800);
    };
    await offers(description([0, 4_010], 2));
    expect(await received()).toEqual({ first: [], second: [2_300] });
    await offers(description([4_000, 4_010], 3));
    expect(await received()).toEqual({ first: [1_400], second: [2_300] });
    // The party heard under a label from now on is heard under it there, too.
    await offers(
      description([4_000, 4_010], 4).replace('label:96', 'label:98').replace('label:97', 'label:96'),
    );
    expect(await received()).toEqual({ first: [2_300], second: [] });
    client.inDialog(talk, 'UPDATE', {
      headers: [
        ['Content-Type', 'application/rs-metadata+xml'],
        ['Content-Disposition', 'recording-session'],
      ],
      body: METADATA.replaceAll('Anna', 'Cay'),
    });
    await net.pump();
    client.response(200, 'UPDATE');
    const update = server.request('UPDATE');
    server.respond(update, 200);
    await net.pump();
    expect(update.header('Contact')).toContain(';+sip.src');
    expect(update.body.toString()).toBe(METADATA.replaceAll('Anna', 'Cay'));
    await house.hangsUp(talk);
    await leaves();
  });

  it('sends all of it again to a server that asks for it', async () => {
    const { talk, session } = await waits();
    await start(session, { metadata: { case: '17' } });
    await net.pump();
    const back = server.answeredTalk(await taken());
    server.inDialog(back, 'UPDATE', {
      headers: [
        ['Content-Type', 'application/rs-metadata-request'],
        ['Content-Disposition', 'recording-session'],
      ],
      body: 'SRS internal error',
    });
    await net.pump();
    server.response(200, 'UPDATE');
    const update = server.request('UPDATE');
    server.respond(update, 200);
    await net.pump();
    expect(must(readMetadata(update.body)).participants).toHaveLength(2);
    expect(update.body.toString()).toContain('name="case">17</data>');
    await house.hangsUp(talk);
    await leaves();
  });

  it('goes to several servers; what one refuses the other still gets', async () => {
    const { talk, session } = await waits();
    const full = await net.device('full', '192.0.2.41');
    await start(session, { destinations: ['sip:full@care.example', 'sip:archive@care.example'] });
    await net.pump();
    full.respond(full.request('INVITE'), 486);
    await net.pump();
    full.request('ACK');
    await taken();
    expect(await house.received('/streamFailed')).toMatchObject({
      url: 'sip:full@care.example',
      reason: expect.stringContaining('486'),
    });
    expect(await received()).toEqual({ first: [1_400], second: [2_300] });
    expect(await stop(session)).toMatchObject({ ok: true });
    await net.pump();
    await leaves();
    expect(await house.received('/streamStopped')).toMatchObject({ url: 'sip:archive@care.example' });
    expect(await received()).toEqual({ first: [], second: [] });
    expect(house.appliance.runtime.load.calls).toBe(1);
    await house.hangsUp(talk);
  });

  it('a server that hangs up is reported as a failure, and the session goes on', async () => {
    const { talk, session } = await waits();
    await start(session);
    await net.pump();
    const back = server.answeredTalk(await taken());
    server.inDialog(back, 'BYE');
    await net.pump();
    server.response(200, 'BYE');
    expect(await house.received('/streamFailed')).toMatchObject({ reason: expect.stringContaining('16') });
    expect(await stop(session)).toMatchObject({ ok: false });
    expect(await house.received('/stopStreamFailed')).toMatchObject({ error: expect.any(String) });
    await house.hangsUp(talk);
  });

  it('goes with the streams when media is late by our own load; the session stays', async () => {
    const { talk, session } = await waits();
    await start(session);
    await net.pump();
    await taken();
    const tell = (kind: 'late' | 'overload', on: boolean) =>
      house.appliance.media.media.events.emit({ kind, worker: 0, on });
    tell('late', true);
    await net.after(5_000, 100);
    expect(house.told('/streamFailed')).toEqual([]);
    tell('overload', true);
    await net.after(2_500, 100);
    await leaves();
    expect(await house.received('/streamFailed')).toMatchObject({ reason: 'overload' });
    tell('overload', false);
    tell('late', false);
    expect(house.appliance.runtime.load.calls).toBe(1);
    house.appliance.logged.length = 0;
    await house.hangsUp(talk);
  });

  it('refuses what is no SIP address, and a service of this very host is never called', async () => {
    const { talk, session } = await waits();
    expect(await start(session, { destinations: ['https://archive.example'] })).toMatchObject({
      ok: false,
      error: { code: 'invalid', path: '/destinations/0' },
    });
    await start(session, { destinations: ['sip:rec@care.example'] });
    expect(await house.received('/streamFailed')).toMatchObject({ url: 'sip:rec@care.example' });
    await house.hangsUp(talk);
    expect(await start(session)).toMatchObject({ ok: false });
  });
});
