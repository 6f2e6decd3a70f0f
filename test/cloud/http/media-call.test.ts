import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mediaCallRouter, mediaQueueRouter, mediaSessionRouter } from '#cloud/http/index.ts';
import type { RelayedCall, RuntimeRelay } from '#cloud/site/index.ts';
import { MEDIA_OPERATIONS } from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const REPLY = { replyId: 'a.b.c' };
const BODIES: Readonly<Record<(typeof MEDIA_OPERATIONS)[number], object>> = {
  placeivrcall: { destAddr: '17', sessionReferenceId: { case: '1' } },
  hangupparticipant: { ...REPLY, sessionId: 's', participantId: 'p' },
  hangupremoteparticipant: { ...REPLY, participantId: 'p' },
  interruptivrcommand: { ...REPLY, sessionId: 's' },
  splitconnection: { ...REPLY, connectionId: 'c' },
  createconferenceconnection: { sessionId: 's' },
  leaveconference: { ...REPLY, connectionId: 'c', participantId: 'p' },
  conferenceparticipant: { ...REPLY, connectionId: 'c', participantId: 'p', whisperTo: null },
  startrecording: { ...REPLY, connectionId: 'c', recordingFileName: 'a.wav' },
  stoprecording: { ...REPLY, connectionId: 'c' },
  pauserecording: { ...REPLY, connectionId: 'c' },
  resumerecording: { ...REPLY, connectionId: 'c' },
  startstream: { ...REPLY, connectionId: 'c', streamTarget: { url: 'wss://ai.example/in' } },
  say: { ...REPLY, connectionId: 'c', text: 'Hello' },
  play: { ...REPLY, connectionId: 'c', phrases: [{ format: 'silence', duration: 20 }] },
  stopstream: { ...REPLY, connectionId: 'c', streamId: 's' },
};

describe('operations of the media service at the cloud', () => {
  let api: TestApi;
  let token: string;
  let relayed: RelayedCall[];
  let answer: Awaited<ReturnType<RuntimeRelay>>;

  beforeEach(async () => {
    relayed = [];
    answer = ok({ status: 200, body: { success: true } });
    const relay: RuntimeRelay = async (call) => {
      relayed.push(call);
      return answer;
    };
    api = await openApi({ routers: [mediaCallRouter(relay)] });
    token = await makeTenant(api, 'a.test');
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  test.each(MEDIA_OPERATIONS)('%s goes to the host, by both of its paths', async (operation) => {
    for (const base of ['/mediaservice/a.test', '/a.test']) {
      const body = BODIES[operation];
      expect(await ask(api, 'POST', `${base}/${operation}`, { token, body })).toMatchObject({ status: 200 });
      expect(relayed.at(-1)).toMatchObject({ operation, body, authorization: `Bearer ${token}` });
    }
  });

  test('gives back what the host has made', async () => {
    answer = ok({ status: 200, body: { success: true, connectionId: 'c1' } });
    const made = await ask(api, 'POST', '/mediaservice/a.test/createconferenceconnection', {
      token,
      body: { sessionId: 's' },
    });
    expect(made.body).toEqual({ success: true, connectionId: 'c1' });
  });

  test('refuses unusable values, and strangers', async () => {
    const path = '/mediaservice/a.test/hangupparticipant';
    expect(await ask(api, 'POST', path, { token, body: { participant: 'p' } })).toMatchObject({
      status: 400,
    });
    expect(await ask(api, 'POST', path, { token: 'nonsense', body: BODIES.hangupparticipant })).toMatchObject(
      { status: 401 },
    );
    expect(await ask(api, 'GET', '/a.test/hangupparticipant', { token })).toMatchObject({ status: 405 });
    const other = '/mediaservice/b.test/hangupparticipant';
    expect(await ask(api, 'POST', other, { token, body: BODIES.hangupparticipant })).toMatchObject({
      status: 403,
    });
    expect(relayed).toEqual([]);
  });

  test('hands on what the host refuses', async () => {
    answer = ok({
      status: 404,
      body: { success: false, reason: 'gone', error: { code: 'sessionUnknown' } },
    });
    const refused = await ask(api, 'POST', '/mediaservice/a.test/splitconnection', {
      token,
      body: BODIES.splitconnection,
    });
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'sessionUnknown' } } });
  });
});

describe('running sessions of media services at the cloud', () => {
  let api: TestApi;
  let token: string;
  let relayed: RelayedCall[];
  let answer: Awaited<ReturnType<RuntimeRelay>>;

  beforeEach(async () => {
    relayed = [];
    answer = ok({ status: 200, body: { success: true, sessions: [] } });
    const relay: RuntimeRelay = async (call) => {
      relayed.push(call);
      return answer;
    };
    api = await openApi({ routers: [mediaSessionRouter(relay), mediaQueueRouter(relay)] });
    token = await makeTenant(api, 'a.test');
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const read = (path: string, by = token, tenant = 'a.test') =>
    ask(api, 'GET', `/mediaservice/${tenant}/session${path}`, { token: by });

  test.each([
    ['', { limit: 100 }],
    ['?limit=7&mediaserviceId=m1&nextToken=s9', { limit: 7, mediaserviceId: 'm1', nextToken: 's9' }],
    ['/s1', { sessionId: 's1' }],
  ])('"%s" is asked of the hosts', async (path, body) => {
    expect(await read(path)).toMatchObject({ status: 200, body: { success: true } });
    expect(relayed.at(-1)).toMatchObject({ operation: 'mediaservice.session', body });
  });

  test('queues are asked of the hosts, and shown to no other tenant', async () => {
    const queues = (query: string, tenant = 'a.test') =>
      ask(api, 'GET', `/mediaservice/${tenant}/queue${query}`, { token });
    expect(await queues('?mediaserviceId=m1')).toMatchObject({ status: 200 });
    expect(relayed.at(-1)).toMatchObject({ operation: 'mediaservice.queue', body: { mediaserviceId: 'm1' } });
    await makeTenant(api, 'b.test');
    expect(await queues('', 'b.test')).toMatchObject({ status: 403 });
    expect(await queues('?limit=1')).toMatchObject({ status: 400 });
    expect(relayed).toHaveLength(1);
  });

  test('strangers, another tenant and a wrong filter are refused', async () => {
    await makeTenant(api, 'b.test');
    expect(await read('', 'nonsense')).toMatchObject({ status: 401 });
    expect(await read('', token, 'b.test')).toMatchObject({ status: 403 });
    expect(await read('/s1', token, 'b.test')).toMatchObject({ status: 403 });
    expect(await read('?limit=0')).toMatchObject({ status: 400 });
    expect(relayed).toEqual([]);
  });

  test('a session that no host has is unknown', async () => {
    answer = ok({ status: 404, body: { success: false, reason: 'gone', error: { code: 'sessionUnknown' } } });
    expect(await read('/s1')).toMatchObject({ status: 404, body: { error: { code: 'sessionUnknown' } } });
  });
});
