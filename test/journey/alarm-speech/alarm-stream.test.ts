import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallSound } from '#appliance/call/sound/index.ts';
import { readReplyId } from '#appliance/delivery/callback/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { startAlarmStream, stopAlarmStream } from '#appliance/operation/alarm-stream.ts';
import { mediaStreamEventSchema } from '#shared/contract/callback/index.ts';
import { type StreamProgram, streamProgram } from '#test/appliance/call/media-service/stream-program.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type TestSound, testSound } from '#test/support/sound.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * Programs in the call of an alarm: `startstream` of alarm bridges. The alarm goes its way whatever they do.
 */

const STRING = 'A01001234567800010100000000#';
/** Hz of the device, the people and the program. */
const [DEVICE_HZ, PEOPLE_HZ, PROGRAM_HZ] = [700, 900, 1_100];

let folder: string;
let threads: TestSound;
let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;
let program: StreamProgram;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-alarm-stream-'));
  threads = testSound({ folder, allowPrivate: ['127.0.0.0/8'] });
  site = await testAppliance({ folder, sound: threads.adapters });
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  unit = await net.device('unit', '192.0.2.30');
  arc = await net.device('arc', '192.0.2.31');
  program = await streamProgram();
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close(true);
  await threads.close();
  await program.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Time of the call passes until something has happened outside of it. */
const during = (condition: () => boolean) =>
  until(() => {
    void net.after(20, 20);
    return condition();
  }, 20_000);

const reported = (path: string) =>
  site.posted.filter(({ call }) => call.path === path).map(({ body }) => body);
const last = (path: string) => reported(path).at(-1) ?? {};
const alarm = () => last('/newAlarmbridgeEvent') as { replyId: string; sessionId: string };

const ports = () => ({
  hostId: 'box-1',
  alarmStreams: site.runtime.alarmStreams,
  readReply: (replyId: string) =>
    readReplyId(
      replyId,
      { domain: 'care.example', wallMs: site.clock.wallMs(), maxAgeS: 604_800 },
      (input, signature) => createHash('sha256').update(input).digest().equals(signature),
    ),
});

const start = (target: object = {}) => {
  const { replyId, sessionId } = alarm();
  const streamTarget = { url: program.url, framing: 'mediaStream', ...target };
  return startAlarmStream(ports(), { replyId, sessionId, streamTarget });
};

async function begun(target: object = {}): Promise<string> {
  const done = await start(target);
  if (!done.ok || done.value === undefined) throw new Error(JSON.stringify(done));
  await during(() => reported('/streamStarted').length > 0);
  return done.value.streamId;
}

/** The device has raised its alarm in tones and waits for people. */
async function raised(fields: Record<string, unknown> = {}): Promise<Talk> {
  site.bridge({
    protocol: 'bs8521',
    destinationMatch: '^analogue$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    ...fields,
  });
  const talk = await unit.invite('analogue', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  await net.after(1_000);
  unit.audio.press(STRING);
  return talk;
}

/** The people have answered. */
async function joined(fields: Record<string, unknown> = {}): Promise<Talk> {
  const talk = await raised(fields);
  await net.after(5_500);
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.pump();
  arc.request('ACK');
  await net.after(300, 100);
  return talk;
}

async function hangUp(talk: Talk): Promise<void> {
  unit.inDialog(talk, 'BYE');
  await net.after(1_000);
}

/** The program says a tone and waits until it was heard. */
async function speaks(ms = 600, name = `said ${program.marks().length}`): Promise<void> {
  for (const { audio } of [unit, arc]) audio.forget();
  program.speak(PROGRAM_HZ, ms);
  program.say({ event: 'mark', mark: { name } });
  await during(() => program.marks().includes(name));
}

const hears = ({ audio }: Telephone): boolean => levelAt(audio.received, PROGRAM_HZ) > -35;

describe('a program that listens to the call of an alarm', () => {
  it('hears device and people, each on its track, and is reported to the application, the trace and the record', async () => {
    const talk = await joined();
    const streamId = await begun({ streamReferenceId: { case: '7' } });
    expect(mediaStreamEventSchema.parse(last('/streamStarted'))).toMatchObject({
      event: 'STREAMSTARTED',
      sessionId: alarm().sessionId,
      streamId,
      url: program.url,
      channels: 2,
      streamReferenceId: { case: '7' },
    });
    expect(program.of('start')[0]).toMatchObject({
      start: { callSid: alarm().sessionId, accountSid: 'care.example', tracks: ['inbound', 'outbound'] },
    });
    // Longer than the part below: the program hears it later than the fake clock says, by as much as the machine is late.
    unit.audio.say(render([tone(DEVICE_HZ, 8_000, -12)]));
    arc.audio.say(render([tone(PEOPLE_HZ, 8_000, -12)]));
    const lately = (track: 'inbound' | 'outbound', pitch: number) =>
      levelAt(program.heard(track).subarray(-4_800), pitch);
    await during(() => lately('inbound', DEVICE_HZ) > -25 && lately('outbound', PEOPLE_HZ) > -25);
    expect(lately('inbound', PEOPLE_HZ)).toBeLessThan(-45);
    await hangUp(talk);
    await during(() => reported('/streamStopped').length > 0);
    expect(last('/streamStopped')).toMatchObject({ streamId, reason: 'callEnded' });
    const { traceId } = last('/newAlarmbridgeEvent') as { traceId: string };
    expect(
      site
        .trace(traceId)
        .filter(({ kind }) => kind === 'streamed')
        .map(({ detail }) => [detail.event, detail.reason]),
    ).toEqual([
      ['STREAMSTARTED', undefined],
      ['STREAMSTOPPED', 'callEnded'],
    ]);
    expect(site.records.all().find((record) => record.traceId === traceId)?.streams).toEqual([
      program.url.replace(/\/$/, ''),
    ]);
  });

  it('ends as asked, once', async () => {
    const talk = await joined();
    const streamId = await begun();
    const { replyId, sessionId } = alarm();
    const ask = { replyId, sessionId, streamId };
    expect(await stopAlarmStream(ports(), ask)).toMatchObject({ ok: true });
    await during(() => reported('/streamStopped').length > 0);
    expect(last('/streamStopped')).toMatchObject({ reason: 'stopped' });
    expect(await stopAlarmStream(ports(), ask)).toMatchObject({ error: { code: 'conflict' } });
    await hangUp(talk);
    expect(reported('/streamStopped')).toHaveLength(1);
    expect(site.runtime.alarmStreams.size).toBe(0);
  });

  it('that breaks leaves the alarm as it was: people and device go on, and the clear-down is said', async () => {
    await joined();
    await begun({ bidirectional: true, hearers: ['device', 'people'] });
    program.speak(PROGRAM_HZ, 60_000);
    program.breaks();
    await during(() => reported('/streamFailed').length > 0);
    expect(last('/streamFailed')).toMatchObject({ event: 'STREAMFAILED', reason: expect.any(String) });
    unit.audio.forget();
    arc.audio.say(render([tone(PEOPLE_HZ, 600, -12)]));
    await net.after(900, 20);
    expect(levelAt(unit.audio.received, PEOPLE_HZ)).toBeGreaterThan(-30);
    unit.audio.digits.splice(0);
    const done = site.runtime.commands.hangUp(alarm().sessionId);
    await net.after(2_000, 100);
    expect(unit.audio.digits.map(({ digit }) => digit).join('')).toContain('AD');
    unit.audio.press('B');
    await net.after(3_000, 100);
    expect(await done).toEqual({ ok: true, value: undefined });
  });
});

describe('a program that speaks in the call of an alarm', () => {
  it('is audible to the people, and to the device only where it is named', async () => {
    const talk = await joined();
    await begun({ bidirectional: true });
    await speaks();
    expect([hears(arc), hears(unit)]).toEqual([true, false]);
    await hangUp(talk);
  });

  it('is audible to the device besides the people, who hear each other', async () => {
    const talk = await joined();
    await begun({ bidirectional: true, hearers: ['people', 'device'] });
    arc.audio.say(render([tone(PEOPLE_HZ, 800, -12)]));
    await speaks();
    expect([hears(arc), hears(unit)]).toEqual([true, true]);
    expect(levelAt(unit.audio.received, PEOPLE_HZ)).toBeGreaterThan(-30);
    await hangUp(talk);
  });

  it('does not reach a device before its acknowledge: its string is read as if no other spoke', async () => {
    const talk = await raised();
    await net.after(300, 100);
    // The session exists once the string is read: until then there is nothing to stream.
    expect(reported('/newAlarmbridgeEvent')).toEqual([]);
    await net.after(5_200);
    await begun({ bidirectional: true, hearers: ['device'] });
    await speaks();
    expect(hears(unit)).toBe(true);
    await hangUp(talk);
  });

  it('waits while the device is commanded, whose tones sound alone, and is audible again', async () => {
    const talk = await joined();
    await begun({ bidirectional: true, hearers: ['device'] });
    await speaks();
    program.speak(PROGRAM_HZ, 8_000);
    await during(() => hears(unit));
    unit.audio.digits.splice(0);
    const done = site.runtime.commands.command(alarm().sessionId, {
      command: 'sendTones',
      parameters: { toneString: '1470' },
    });
    await net.after(200, 20);
    const before = unit.audio.received.length;
    await net.after(1_000, 20);
    expect(levelAt(unit.audio.received.subarray(before), PROGRAM_HZ)).toBeLessThan(-45);
    expect(unit.audio.digits.map(({ digit }) => digit).join('')).toBe('1470');
    expect(await done).toEqual({ ok: true, value: undefined });
    unit.audio.forget();
    await during(() => hears(unit));
    await hangUp(talk);
  });

  it('is not audible any more once the device is cleared', async () => {
    await joined();
    await begun({ bidirectional: true, hearers: ['device'] });
    program.speak(PROGRAM_HZ, 60_000);
    await during(() => hears(unit));
    void site.runtime.commands.hangUp(alarm().sessionId);
    await net.after(300, 20);
    const before = unit.audio.received.length;
    // Said again, since the device confirms nothing: in between, too, it hears no program.
    await during(() =>
      unit.audio.digits
        .map(({ digit }) => digit)
        .join('')
        .includes('ADAD'),
    );
    expect(levelAt(unit.audio.received.subarray(before), PROGRAM_HZ)).toBeLessThan(-45);
  });
});

describe('under a load that makes audio late', () => {
  it('goes with the streams that only listen, also when it speaks; the call goes on', async () => {
    const talk = await joined();
    await begun({ bidirectional: true });
    for (const kind of ['overload', 'late'] as const)
      site.runtime.sound?.onMediaEvent({ kind, worker: 0, on: true } as Parameters<
        CallSound['onMediaEvent']
      >[0]);
    await net.after(2_500, 100);
    await during(() => reported('/streamFailed').length > 0);
    expect(last('/streamFailed').reason).toContain('running calls go before streams');
    unit.audio.forget();
    arc.audio.say(render([tone(PEOPLE_HZ, 600, -12)]));
    await net.after(900, 20);
    expect(levelAt(unit.audio.received, PEOPLE_HZ)).toBeGreaterThan(-30);
    await hangUp(talk);
  });
});

describe('startstream of an alarm bridge is refused', () => {
  it.each([
    ['a program that would replace the people', {}, { playMode: 'replace' }, 'invalid'],
    ['no WebSocket', {}, { url: 'https://ai.example' }, 'invalid', '/streamTarget/url'],
    ['audio that does not pass this host', { controlCommandsEnabled: false }, {}, 'controlCommandsDisabled'],
    [
      'speech to a device that takes no commands',
      { controlCommandsEnabled: false, auditRecording: true },
      { bidirectional: true, hearers: ['device'] },
      'controlCommandsDisabled',
      '/streamTarget/hearers',
    ],
  ])('%s', async (_, fields, target, code, path?) => {
    const talk = await joined(fields);
    expect(await start(target)).toMatchObject({ error: { code, ...(path !== undefined && { path }) } });
    expect(site.runtime.alarmStreams.size).toBe(0);
    await hangUp(talk);
  });

  it('a fifth program, and a session without a call', async () => {
    const talk = await joined();
    for (let each = 0; each < 4; each++) await begun();
    expect(await start()).toMatchObject({ error: { code: 'conflict' } });
    await hangUp(talk);
    await during(() => reported('/streamStopped').length === 4);
    expect(await start()).toMatchObject({ error: { code: 'noVoiceCall' } });
  });

  it('is none where people alone hear it: the device of a bridge without commands is left alone', async () => {
    const talk = await joined({ controlCommandsEnabled: false, auditRecording: true });
    await begun({ bidirectional: true });
    await speaks();
    expect([hears(arc), hears(unit)]).toEqual([true, false]);
    await hangUp(talk);
  });
});
