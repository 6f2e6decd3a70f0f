import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';
import { type StreamProgram, streamProgram } from './stream-program.ts';

let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;
let program: StreamProgram;

beforeEach(async () => {
  house = await twoTelephones();
  ({ net, app, anna, bo } = house);
  program = await streamProgram();
});
afterEach(async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  await program.close();
});

const HOLD = { getIVRCommandAfter: 3_600 };

/** Time of the call passes until something has happened outside of it. */
const during = (condition: () => boolean) =>
  until(() => {
    void net.after(20);
    return condition();
  }, 20_000);

/** Anna, or both, in a tone each, until the program has heard so much of it. */
async function talk(ms: number, ...phones: readonly (readonly [Telephone, number])[]): Promise<void> {
  for (const [phone, hz] of phones) phone.audio.say(render([tone(hz, ms, -12)]));
  const before = program.of('media').length;
  await during(() => program.of('media').length - before >= ms / 20);
}

const say = (message: object): void => void program.say(message);
const media = (payload: string) => ({ event: 'media', media: { payload } });
const repeat = (times: number, message: object): void => {
  for (let i = 0; i < times; i++) say(message);
};

describe('the IVR command stream', () => {
  const stream = (more: object = {}) => ({
    stream: { url: program.url, framing: 'mediaStream', bidirectional: true, ...more },
  });

  it('joins a caller with a program: both hear each other, keys and marks pass, and the next command follows', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', stream({ customParameters: { language: 'sv' } }), HOLD);
    const call = await house.calls(anna);
    await during(() => program.of('start').length === 1);
    const { sessionId } = app.last('/getIvrCommand');
    expect(program.messages[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(program.messages[1]).toMatchObject({
      start: {
        callSid: sessionId,
        accountSid: house.appliance.tenant.domain,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { language: 'sv' },
      },
    });
    await talk(1_000, [anna, 700]);
    expect(levelAt(program.heard().subarray(-6_000), 700)).toBeGreaterThan(-20);
    const key = dtmf('5', { onMs: 100, offMs: 100 });
    if (key.ok) anna.audio.say(render(key.value));
    await during(() => program.of('dtmf').length === 1);
    expect(program.of('dtmf')[0]).toMatchObject({ dtmf: { track: 'inbound_track', digit: '5' } });
    anna.audio.forget();
    program.speak(1_100, 600);
    program.say({ event: 'mark', mark: { name: 'said' } });
    await during(() => program.marks().includes('said'));
    expect(levelAt(anna.audio.received, 1_100)).toBeGreaterThan(-30);
    program.hangUp();
    await during(() => app.received('/getIvrCommand').length === 2);
    expect(app.last('/getIvrCommand')).toMatchObject({ lastCommandResult: { stream: 'completed' } });
    const [started, stopped] = [app.last('/streamStarted'), app.last('/streamStopped')];
    expect(started).toMatchObject({ event: 'STREAMSTARTED', sessionId, url: program.url, channels: 1 });
    expect(stopped).toMatchObject({ streamId: started.streamId, reason: 'closedByProgram', droppedMs: 0 });
    // No frame is lost, and each has its place.
    const chunks = program.of('media').map(({ media }) => (media as { chunk: string }).chunk);
    expect(chunks).toEqual(chunks.map((_, i) => String(i + 1)));
    await house.hangsUp(anna, call);
  });

  it('is interrupted by the program that clears: the rest of its audio is not played', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', stream(), HOLD);
    const call = await house.calls(anna);
    await during(() => program.of('start').length === 1);
    program.speak(1_100, 60_000);
    program.say({ event: 'mark', mark: { name: 'end' } });
    await during(() => levelAt(anna.audio.received.subarray(-3_200), 1_100) > -30);
    program.say({ event: 'clear' });
    await during(() => program.marks().includes('end'));
    await net.after(200, 20);
    anna.audio.forget();
    await net.after(400, 20);
    expect(levelAt(anna.audio.received, 1_100)).toBeLessThan(-45);
    await house.hangsUp(anna, call);
    await until(() => program.of('stop').length === 1);
    await during(() => app.received('/streamStopped').length === 1);
    expect(app.last('/streamStopped')).toMatchObject({ reason: 'callEnded' });
  });

  it('fails with its reason when the program breaks, and the IVR goes on', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', stream(), HOLD);
    const call = await house.calls(anna);
    await during(() => program.of('start').length === 1);
    program.breaks();
    await during(() => app.received('/getIvrCommand').length === 2);
    expect(app.last('/getIvrCommand')).toMatchObject({
      lastCommandResult: { stream: 'error', reason: expect.stringContaining('1006') },
    });
    expect(app.last('/streamFailed')).toMatchObject({ event: 'STREAMFAILED', reason: expect.any(String) });
    await house.hangsUp(anna, call);
  });

  const noise = Buffer.alloc(8_000, 0x55).toString('base64');
  const bad: readonly (readonly [string, () => void])[] = [
    ['floods it with 10 MB', () => repeat(1_000, media(noise))],
    ['sends 10,000 marks without audio', () => repeat(10_000, { event: 'mark', mark: { name: 'm' } })],
    ['sends audio of other rates and no audio', () => [media(noise.slice(0, 642)), media('=A'), {}].map(say)],
  ];
  it.each(bad)('goes on beside a program that %s', async (_, work) => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', stream(), HOLD);
    const call = await house.calls(anna);
    await during(() => program.of('start').length === 1);
    work();
    say({ event: 'clear' });
    say({ event: 'mark', mark: { name: 'cleared' } });
    await during(() => program.marks().includes('cleared'));
    program.speak(1_100, 600);
    program.say({ event: 'mark', mark: { name: 'said' } });
    anna.audio.forget();
    await during(() => program.marks().includes('said'));
    expect(levelAt(anna.audio.received.subarray(-3_200), 1_100)).toBeGreaterThan(-30);
    await talk(400, [anna, 700]);
    expect(levelAt(program.heard().subarray(-2_400), 700)).toBeGreaterThan(-20);
    await house.hangsUp(anna, call);
    await during(() => app.received('/streamStopped').length === 1);
    expect(app.last('/streamStopped')).toMatchObject({ reason: 'callEnded' });
  });

  it.each([
    ['a page', 'https://ai.example/', 'url must be a WebSocket address'],
    ['an address that is not listed', 'wss://10.0.0.1/', 'CARILLON_ALLOW_PRIVATE'],
  ])('does not go to %s', async (_, url, reason) => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { stream: { url, bidirectional: true } }, HOLD);
    const call = await house.calls(anna);
    await during(() => app.received('/getIvrCommand').length === 2);
    expect(app.last('/getIvrCommand')).toMatchObject({
      lastCommandResult: { stream: 'error', reason: expect.stringContaining(reason) },
    });
    await house.hangsUp(anna, call);
  });
});

describe('startstream', () => {
  /** Anna and Bo speak with each other. */
  async function connected() {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const call = await anna.invite('ivr', net.pump);
    const other = await house.takes(bo);
    anna.acknowledge(call, anna.response(200));
    await net.pump();
    const { replyId, connectionId } = app.last('/callAnswered');
    return { call, other, replyId, connectionId };
  }

  it('lets a program hear both sides, each on its track', async () => {
    const { call, replyId, connectionId } = await connected();
    const begun = await house.operate('startstream', {
      replyId,
      connectionId,
      streamTarget: { url: program.url, framing: 'mediaStream', streamReferenceId: { case: '7' } },
    });
    const { streamId } = (begun as { value: { streamId: string } }).value;
    await during(() => program.of('start').length === 1);
    expect(program.messages[1]).toMatchObject({
      start: { streamSid: streamId, tracks: ['inbound', 'outbound'] },
    });
    await talk(1_000, [anna, 700], [bo, 900]);
    expect(levelAt(program.heard('inbound').subarray(-2_400), 700)).toBeGreaterThan(-25);
    expect(levelAt(program.heard('outbound').subarray(-2_400), 900)).toBeGreaterThan(-25);
    expect(levelAt(program.heard('inbound'), 900)).toBeLessThan(-45);
    expect(await house.operate('stopstream', { replyId, connectionId, streamId })).toMatchObject({
      ok: true,
    });
    await during(() => app.received('/streamStopped').length === 1);
    expect(app.last('/streamStopped')).toMatchObject({ reason: 'stopped', streamReferenceId: { case: '7' } });
    expect(await house.operate('stopstream', { replyId, connectionId, streamId })).toMatchObject({
      error: { code: 'conflict', path: '/streamId' },
    });
    await house.hangsUp(anna, call);
    await house.leaves(bo);
  });

  it('lets both hear a program that speaks, beside each other or alone', async () => {
    const { call, replyId, connectionId } = await connected();
    await house.operate('startstream', {
      replyId,
      connectionId,
      streamTarget: { url: program.url, framing: 'mediaStream', bidirectional: true, playMode: 'replace' },
    });
    await during(() => program.of('start').length === 1);
    anna.audio.forget();
    bo.audio.forget();
    program.speak(1_100, 800);
    program.say({ event: 'mark', mark: { name: 'end' } });
    await during(() => program.marks().includes('end'));
    for (const phone of [anna, bo]) expect(levelAt(phone.audio.received, 1_100)).toBeGreaterThan(-30);
    expect(await house.hearing(anna, bo)).toBe(true);
    await house.hangsUp(anna, call);
    await house.leaves(bo);
    await during(() => app.received('/streamStopped').length === 1);
    expect(app.last('/streamStopped')).toMatchObject({ reason: 'callEnded' });
  });

  it('announces into the call: both hear it, and each other; or one alone', async () => {
    const { call, replyId, connectionId } = await connected();
    const phrases = [{ format: 'tone', frequency: 1_300, duration: 600 }];
    anna.audio.forget();
    bo.audio.forget();
    expect(await house.operate('play', { replyId, connectionId, phrases })).toMatchObject({ ok: true });
    bo.audio.say(render([tone(900, 800, -12)]));
    await net.after(600, 20);
    for (const phone of [anna, bo]) expect(levelAt(phone.audio.received, 1_300)).toBeGreaterThan(-25);
    expect(levelAt(anna.audio.received, 900)).toBeGreaterThan(-25);
    const { callerParticipantId: participantId } = app.last('/callAnswered');
    await net.after(400, 20);
    bo.audio.forget();
    await house.operate('play', { replyId, connectionId, phrases, participantId });
    await net.after(600, 20);
    expect(levelAt(bo.audio.received, 1_300)).toBeLessThan(-45);
    expect(
      await house.operate('say', { replyId, connectionId, text: 'Hello', participantId: 'none' }),
    ).toMatchObject({ error: { code: 'participantUnknown', path: '/participantId' } });
    await house.hangsUp(anna, call);
    await house.leaves(bo);
  });

  it.each([
    [{ channels: ['mixed', 'inbound'] }, '/streamTarget/channels'],
    [{ encoding: 'audio/x-mulaw' }, '/streamTarget/encoding'],
    [{ chunkDuration: 30 }, '/streamTarget/chunkDuration'],
    [{ url: 'http://ai.example' }, '/streamTarget/url'],
    [{ sampleRate: 44_100 }, '/streamTarget/sampleRate'],
  ])('refuses %j', async (fields, path) => {
    const { call, replyId, connectionId } = await connected();
    const streamTarget = { url: program.url, ...fields };
    expect(await house.operate('startstream', { replyId, connectionId, streamTarget })).toMatchObject({
      error: { code: 'invalid', path },
    });
    await house.hangsUp(anna, call);
    await house.leaves(bo);
  });
});
