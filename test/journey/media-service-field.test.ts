import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import {
  callAnsweredSchema,
  callDecisionSchema,
  callEventSchema,
  callFailedSchema,
  callHungupSchema,
  callNotifySchema,
  getIvrCommandSchema,
  ivrCommandSchema,
  mediaRecordingReadySchema,
  newCallSchema,
  newRemoteCallSchema,
  recordingDecisionSchema,
  sessionCompletedSchema,
} from '#shared/contract/callback/index.ts';
import {
  MEDIA_OPERATION_SCHEMAS,
  RECORDING_COMMAND_SCHEMAS,
  REMOTE_CALL_SCHEMAS,
} from '#shared/contract/runtime/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { must } from '#test/support/media.ts';
import { eachWithTwoTelephones, type TwoTelephones } from '#test/support/media-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

/* Each field of the bodies of media services does what the API says of it. */
let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;

eachWithTwoTelephones((made) => {
  house = made;
  ({ net, app, anna, bo } = made);
});

const INVITE_FIELDS: [string, string][] = [
  ['X-Case', '7'],
  ['P-Service', 'a'],
  ['P-Service', 'b'],
  ['User-to-User', '56a390f3;encoding=hex'],
  ['History-Info', '<sip:first@care.example>;index=1'],
  ['Diversion', '<sip:first@care.example>;reason=no-answer'],
  ['Referred-By', '<sip:cay@care.example>'],
  ['Subject', 'a fall'],
  ['P-Asserted-Identity', '<sip:+46855510@care.example>'],
  ['X-Trunk-Key', 'secret'],
];
const REPORTED = {
  callingParty: 'anna',
  calledParty: 'ivr',
  fromUser: 'anna',
  srcAddr: '192.0.2.20',
  xHeaders: { 'X-Case': '7' },
  pHeaders: { 'P-Service': ['a', 'b'] },
  copyHeaders: [
    { name: 'User-to-User', value: '56a390f3;encoding=hex' },
    { name: 'History-Info', value: '<sip:first@care.example>;index=1' },
  ],
  diversionHeaders: ['<sip:first@care.example>;reason=no-answer'],
  referredBy: '<sip:cay@care.example>',
  subject: 'a fall',
};

/** Anna is connected to Bo by what the application says. */
async function connected(decision: object, fields: [string, string][] = []): Promise<Talk> {
  app.on('/newCall', { action: 'call', destAddr: 'bo', ...decision });
  const talk = await anna.invite('ivr', net.pump, { headers: fields });
  await house.takes(bo);
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  return talk;
}

async function parted(talk: Talk): Promise<void> {
  app.on('/callEvent', { action: 'drop' });
  await house.hangsUp(anna, talk);
  await house.leaves(bo);
}

describe('the fields of a callback of the call', () => {
  it('newCall and callEvent: who called, and what the INVITE brought', async () => {
    const talk = await connected({}, INVITE_FIELDS);
    const of = {
      domain: 'care.example',
      ivrServer: '192.0.2.10',
      siteId: 'north',
      siteBaseUrl: 'https://box-1.example:8443',
      httpTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      traceId: expect.any(String),
    };
    const reported = app.last('/newCall');
    expect(reported).toMatchObject({ ...REPORTED, ...of, requestUri: 'sip:ivr@care.example', codec: 'PCMA' });
    // A device asserts nothing (RFC 3325 5), and the key of a trunk concerns no party of the call.
    expect(reported.paiNumber).toBeUndefined();
    expect(JSON.stringify(reported)).not.toContain('secret');
    const { callerParticipantId, calleeParticipantId } = app.last('/callAnswered');
    expect(app.last('/callNotify')).toMatchObject({
      event: 'ringing',
      participantId: calleeParticipantId,
      remoteParticipantId: callerParticipantId,
      user: 'bo',
      remoteUser: 'anna',
      sipCallId: expect.stringMatching(/@192\.0\.2\.10$/),
    });
    await parted(talk);
    expect(app.last('/callEvent')).toMatchObject({ ...REPORTED, ...of, event: 'callingPartyDrop' });
    expect(app.last('/callEvent').httpTransactionId).not.toBe(reported.httpTransactionId);
    expect(app.last('/sessionCompleted')).toMatchObject({
      sessionDuration: expect.stringMatching(/^\d+\.\d{3}$/),
    });
  });

  it('paiNumber: what a trunk asserts', async () => {
    net.trunk();
    const carrier = net.stranger('+4670', '198.51.100.1');
    app.on('/newCall', { action: 'drop' });
    await carrier.invite('ivr', net.pump, { headers: INVITE_FIELDS });
    carrier.response(603);
    expect(app.last('/newCall')).toMatchObject({ callingParty: '+4670', paiNumber: '+46855510' });
  });
});

describe('the answer of an application about a call', () => {
  it('monitorSipFrom, monitorPHeaders, monitorXHeaders: the INVITE to the monitor, and to no one else', async () => {
    const eve = await net.device('eve', '192.0.2.22');
    const talk = await connected({
      monitorDestAddr: 'eve',
      monitorSipFrom: 'watch',
      monitorPHeaders: { 'P-Watch': ['1', '2'] },
      monitorXHeaders: { 'X-Watch': 'yes' },
      xHeaders: { 'X-Case': '7' },
    });
    const invite = eve.request('INVITE');
    expect(invite.from.uriText).toBe('sip:watch@care.example');
    expect(invite.headers('P-Watch')).toEqual(['1', '2']);
    expect(invite.header('X-Watch')).toBe('yes');
    expect(invite.header('X-Case')).toBeUndefined();
    eve.respond(invite, 486);
    await net.pump();
    eve.request('ACK');
    await parted(talk);
  });

  it.each([
    [{}, ['two.wav'], [[1], [2]]],
    [{ recordingChannels: 'mixed' }, ['two.wav'], [[1], [1]]],
    [{ recordingChannels: 'perParticipant' }, ['two-1.wav', 'two-2.wav'], [[1], [1]]],
  ])('callRecording with %o: %j', async (fields, files, channels) => {
    const talk = await connected({ callRecording: true, recordingFileName: 'two.wav', ...fields });
    for (const [from, hz] of [
      [anna, 1_400],
      [bo, 2_300],
    ] as const) {
      from.audio.say(render([tone(hz, 600, -12)]));
      await net.after(1_000, 100);
      await house.threads.caughtUp();
    }
    await parted(talk);
    const deadline = Date.now() + 10_000;
    while (!app.order.includes('/recordingReady') && Date.now() < deadline) await net.after(200, 100);
    expect(app.last('/recordingReady')).toMatchObject({
      event: 'recordingSuccessful',
      fileSize: expect.any(Number),
    });
    const received = files.flatMap((name) =>
      must(hearFile(readFileSync(join(house.threads.recordings, name)), 'alarm')).flatMap((each) =>
        'frequency' in each ? [{ hz: Math.round(each.frequency / 50) * 50, channel: each.channel ?? 1 }] : [],
      ),
    );
    const of = (hz: number) => received.filter((each) => each.hz === hz).map(({ channel }) => channel);
    expect([of(1_400), of(2_300)]).toEqual(channels);
  });

  it('sipStatus: a callee that names another service (380) is reported, and its caller goes where the application says', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop', dropCode: 486 });
    await anna.invite('ivr', net.pump);
    bo.respond(bo.request('INVITE'), 380, { contact: '<sip:help@care.example>' });
    await net.pump();
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop', sipStatus: 380 });
    anna.response(486);
    await net.after(1_000);
    const notes = house.appliance
      .trace(String(app.last('/newCall').traceId))
      .map(({ detail }) => String(detail.text));
    expect(notes.join()).toContain('to another service, <sip:help@care.example>');
  });

  it.each([
    ['none', 0, false],
    ['default', 425, true],
    ['ring.wav', 900, true],
  ])('ringbackTone %s: what the caller hears while it rings', async (ringbackTone, hz, early) => {
    const file = join(house.folder, 'ring.wav');
    writeFileSync(file, wavOf(sine(900, 1, 8_000), 8_000));
    house.threads.files.set('ring.wav', file);
    app.on('/newCall', { action: 'call', destAddr: 'bo', ringbackTone });
    const talk = await anna.invite('ivr', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    const reported = anna.response(183);
    if (early) anna.hearPort(reported);
    await net.after(600, 100);
    expect(
      early
        ? levelAt(anna.audio.received, hz) > -35
        : anna.audio.received.every((sample) => Math.abs(sample) < 40),
    ).toBe(true);
    app.on('/callEvent', { action: 'drop' });
    anna.cancel(talk);
    await net.pump();
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await net.pump();
  });
});

/** Names of every property of a schema, however deep. */
function fieldsOf(schema: z.ZodType): string[] {
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const each of Object.values(node)) walk(each);
  };
  walk(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  return [...names];
}

describe('every field of document 3', () => {
  const folders = [
    'journey',
    'support',
    'peers',
    'appliance/call',
    'appliance/alarm',
    'appliance/site',
    'appliance/media/prompt',
  ];
  const texts = folders.flatMap((folder) => {
    const path = join(import.meta.dirname, '..', folder);
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(path, name), 'utf8'));
  });
  const words = new Set(texts.join('\n').match(/[A-Za-z]\w*/g));
  it.each(
    Object.entries({
      callAnsweredSchema,
      callDecisionSchema,
      callEventSchema,
      callFailedSchema,
      callHungupSchema,
      callNotifySchema,
      getIvrCommandSchema,
      ivrCommandSchema,
      mediaRecordingReadySchema,
      newCallSchema,
      newRemoteCallSchema,
      recordingDecisionSchema,
      sessionCompletedSchema,
      ...MEDIA_OPERATION_SCHEMAS,
      ...REMOTE_CALL_SCHEMAS,
      ...RECORDING_COMMAND_SCHEMAS,
    } as Record<string, z.ZodType>),
  )('%s: some test asks for it', (_, schema) => {
    expect(fieldsOf(schema).filter((name) => !words.has(name))).toEqual([]);
  });
});
