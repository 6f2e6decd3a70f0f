import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mediaCallRouter, remoteCallRouter } from '#cloud/http/index.ts';
import type { RelayedCall, RuntimeRelay } from '#cloud/site/index.ts';
import { ok } from '#shared/result.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const REPLY = { replyId: 'a.b.c' };
const END = { codec: 'PCMA', receiveIp: '203.0.113.7', receivePort: 40_000 };
const BODIES: readonly (readonly [string, object])[] = [
  ['answerremotecall', { ...REPLY, ...END }],
  ['sendremotecallringback', REPLY],
  ['hangupcall', REPLY],
  ['placeremotecall', { ...END, destinationUri: '17', sourceUser: 'door-1' }],
  ['hangupremoteparticipant', { ...REPLY, participantId: 'p' }],
];

describe('operations of cloud SIP user agents at the cloud', () => {
  let api: TestApi;
  let token: string;
  let relayed: RelayedCall[];

  beforeEach(async () => {
    relayed = [];
    const relay: RuntimeRelay = async (call) => {
      relayed.push(call);
      return ok({ status: 200, body: { success: true, localIp: '198.51.100.1', localPort: 20_000 } });
    };
    api = await openApi({ routers: [mediaCallRouter(relay), remoteCallRouter(relay)] });
    token = await makeTenant(api, 'a.test');
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  test.each(BODIES)(
    '%s goes to the host by each of its paths, and back comes what it said',
    async (operation, body) => {
      for (const base of ['/mediaservice/a.test', '/a.test'])
        for (const word of [operation, `${operation}jwt`]) {
          const answer = await ask(api, 'POST', `${base}/${word}`, { token, body });
          expect(answer).toMatchObject({ status: 200, body: { localPort: 20_000 } });
          expect(relayed.at(-1)).toMatchObject({ operation, body, authorization: `Bearer ${token}` });
        }
    },
  );

  test('refuses unusable values, and strangers', async () => {
    const path = '/mediaservice/a.test/answerremotecalljwt';
    const wrong = { ...REPLY, ...END, codec: 'GSM' };
    expect(await ask(api, 'POST', path, { token, body: wrong })).toMatchObject({
      status: 400,
      body: { error: { path: '/codec' } },
    });
    expect(await ask(api, 'POST', path, { token: 'nonsense', body: { ...REPLY, ...END } })).toMatchObject({
      status: 401,
    });
    expect(await ask(api, 'GET', '/a.test/answerremotecalljwt', { token })).toMatchObject({ status: 405 });
    expect(relayed).toEqual([]);
  });
});
