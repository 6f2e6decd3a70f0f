import { argon2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { Messager, Registerer, RegistererState, UserAgent } from 'sip.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket as WsSocket } from 'ws';
import { writeRequest } from '#appliance/sip/message/index.ts';
import { DEVICE_TOKEN_TYP } from '#shared/authorize/index.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/** sip.js takes the WebSocket of its browser; here it is one that trusts the test's own certificate. */
class TrustingSocket extends WsSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, { rejectUnauthorized: false });
  }
}

let site: Awaited<ReturnType<typeof realAppliance>>;
const agents: UserAgent[] = [];
const browser = globalThis.WebSocket;

beforeAll(async () => {
  Object.assign(globalThis, { WebSocket: TrustingSocket });
  site = await realAppliance();
  site.bridge();
  const nonce = randomBytes(16);
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: 'correct horse', nonce, ...cost });
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  site.device({
    deviceId: 'tablet-7',
    authType: 'userid',
    passwordHash: `$argon2id$v=19$m=64,t=1,p=1$${plain(nonce)}$${plain(tag)}`,
    authorized: { register: true, invite: '^sip:arc@', domain: 'care.example' },
  });
  site.device({ deviceId: 'viewer', authType: 'userid', authorized: { register: false } });
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
});

afterAll(async () => {
  await site.close();
  Object.assign(globalThis, { WebSocket: browser });
});

/** POST /authorize as a phone does. */
function authorize(body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port: site.https,
        path: '/authorize',
        method: 'POST',
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

const signIn = async (): Promise<string> => {
  const { body } = await authorize({
    domain: 'care.example',
    deviceId: 'tablet-7',
    password: 'correct horse',
  });
  return String(body.token);
};

async function phone(user: string, contactName?: string, server = site.webSocket): Promise<UserAgent> {
  const uri = UserAgent.makeURI(`sip:${user}@care.example`);
  if (uri === undefined) throw new Error('no URI');
  const agent = new UserAgent({
    uri,
    ...(contactName === undefined ? {} : { contactName }),
    transportOptions: { server, keepAliveInterval: 1 },
    logLevel: 'error',
    logBuiltinEnabled: false,
  });
  agents.push(agent);
  await agent.start();
  return agent;
}

/** Final status of a REGISTER. */
function register(agent: UserAgent, token?: string, field = 'Authorization: Bearer'): Promise<number> {
  const extraHeaders = token === undefined ? [] : [`${field} ${token}`];
  const registerer = new Registerer(agent, { extraHeaders });
  return new Promise((resolve, reject) => {
    registerer.stateChange.addListener((state) => {
      if (state === RegistererState.Registered) resolve(200);
    });
    registerer
      .register({ requestDelegate: { onReject: ({ message }) => resolve(message.statusCode ?? 0) } })
      .catch(reject);
  });
}

function say(agent: UserAgent, to: string, text: string, token: string): Promise<number> {
  const target = UserAgent.makeURI(`sip:${to}@care.example`);
  if (target === undefined) throw new Error('no URI');
  const messager = new Messager(agent, target, text, 'application/scaip+xml', {
    extraHeaders: [`Authorization: Bearer ${token}`],
  });
  return new Promise((resolve, reject) => {
    messager
      .message({
        requestDelegate: {
          onAccept: ({ message }) => resolve(message.statusCode ?? 0),
          onReject: ({ message }) => resolve(message.statusCode ?? 0),
        },
      })
      .catch(reject);
  });
}

describe('POST /authorize at the site', () => {
  test('gives a token for the right password, signed by the site', async () => {
    const { status, body } = await authorize({
      domain: 'care.example',
      deviceId: 'tablet-7',
      password: 'correct horse',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, expiresAt: expect.any(Number) });
  });

  test.each([
    ['a wrong password', { domain: 'care.example', deviceId: 'tablet-7', password: 'wrong' }],
    ['an unknown device', { domain: 'care.example', deviceId: 'nobody', password: 'wrong' }],
    ['another tenant', { domain: 'other.example', deviceId: 'tablet-7', password: 'correct horse' }],
    ['a device without a password', { domain: 'care.example', deviceId: 'viewer', password: 'wrong' }],
  ])('%s: 401, all alike', async (_name, body) => {
    expect(await authorize(body)).toEqual({
      status: 401,
      body: {
        success: false,
        reason: 'The tenant, the device or its password is not right.',
        error: { code: 'unauthorized' },
      },
    });
  });

  test('a body that is none names the field', async () => {
    const { status, body } = await authorize({ domain: 'care.example', deviceId: 'tablet-7' });
    expect(status).toBe(400);
    expect(body.error).toEqual({ code: 'invalid', path: '/password' });
  });

  test('five wrong tries lock the name', async () => {
    const tries = { domain: 'care.example', deviceId: 'guessed', password: 'x' };
    for (let i = 0; i < 5; i++) expect((await authorize(tries)).status).toBe(401);
    expect((await authorize(tries)).status).toBe(429);
  });
});

describe('sip.js over WebSocket', () => {
  test('registers with its token and sends an alarm, which is answered on the same WebSocket', async () => {
    const token = await signIn();
    const agent = await phone('tablet-7');
    const received: string[] = [];
    agent.delegate = {
      onMessage: (message) => {
        received.push(message.request.body);
        void message.accept();
      },
    };
    expect(await register(agent, token)).toBe(200);
    expect(site.runtime.registrations.contactsOf('tablet-7')[0]?.flow?.transport).toBe('WSS');
    const alarm = '<mrq><ref>1</ref><cid>tablet-7</cid><dty>0004</dty><stc>0010</stc></mrq>';
    expect(await say(agent, 'scaip', alarm, token)).toBe(200);
    await expect.poll(() => site.posted.length).toBe(1);
    site.posted[0]?.answer({ kind: 'answered', status: 200, body: '{"action":"drop"}', credential: 0 });
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]).toContain('<ref>1</ref>');
  });

  test.each<[string, string, () => Promise<string | undefined>, number]>([
    ['without a token', 'tablet-7', async () => undefined, 401],
    ['with a forged token', 'tablet-7', async () => `${await signIn()}x`, 401],
    ['with the token of another', 'viewer', signIn, 401],
    ['that may not', 'viewer', async () => token('viewer', { register: true }), 403],
    ['with an expired token', 'tablet-7', async () => token('tablet-7', { register: true }, -90_000), 401],
    [
      'with something else that the site signed',
      'tablet-7',
      async () => token('tablet-7', { register: true }, 0, 'other+jwt'),
      401,
    ],
  ])('a phone %s is refused', async (_name, user, tokenOf, status) => {
    expect(await register(await phone(user), await tokenOf())).toBe(status);
  });

  test.each([
    ['the path /ws', () => site.webSocket.replace(/sip$/, 'ws'), 'X-JWTAuth:'],
    ['a port of its own', () => site.ownWebSocket, 'X-JWTAuth:'],
    ['a port of its own, the scheme before the token', () => site.ownWebSocket, 'X-JWTAuth: Bearer'],
    [
      'a port of its own, the path /sip',
      () => site.ownWebSocket.replace(/ws$/, 'sip'),
      'Authorization: Bearer',
    ],
  ])('registers by %s', async (_, server, field) => {
    expect(await register(await phone('tablet-7', undefined, server()), await signIn(), field)).toBe(200);
  });

  test('a forged token in X-JWTAuth is refused', async () => {
    expect(await register(await phone('tablet-7'), `${await signIn()}x`, 'X-JWTAuth:')).toBe(401);
  });

  test('a connection that ends takes the registration with it: nothing can connect to a browser', async () => {
    const agent = await phone('tablet-7');
    expect(await register(agent, await signIn())).toBe(200);
    expect(site.runtime.registrations.online('tablet-7')).toMatchObject({
      registered: true,
      contacts: [{ transport: 'WSS', userAgent: expect.stringContaining('SIP.js') }],
    });
    await agent.transport.disconnect();
    await expect.poll(() => site.runtime.registrations.online('tablet-7').registered).toBe(false);
  });
});

describe('INVITE over WebSocket', () => {
  /** Final status of an INVITE, as the wire has it: a call of sip.js needs a browser's media. */
  async function invite(target: string, authorization: [string, string][]): Promise<number> {
    const socket = new TrustingSocket(site.webSocket, 'sip');
    const statuses: number[] = [];
    socket.on('message', (data) => statuses.push(Number(String(data).slice(8, 11))));
    await once(socket, 'open');
    const id = randomBytes(6).toString('hex');
    socket.send(
      writeRequest({
        method: 'INVITE',
        uri: target,
        headers: [
          ['Via', `SIP/2.0/WSS ${id}.invalid;branch=z9hG4bK${id}`],
          ['Max-Forwards', '70'],
          ['From', `<sip:tablet-7@care.example>;tag=${id}`],
          ['To', `<${target}>`],
          ['Call-ID', id],
          ['CSeq', '1 INVITE'],
          ['Contact', `<sip:tablet-7@${id}.invalid;transport=ws>`],
          ...authorization,
        ],
      }),
    );
    await expect.poll(() => statuses.find((status) => status >= 200)).toBeDefined();
    socket.close();
    return statuses.find((status) => status >= 200) ?? 0;
  }
  const bearer = async (): Promise<[string, string][]> => [['Authorization', `Bearer ${await signIn()}`]];

  test('goes where `authorized.invite` matches, and nowhere else', async () => {
    // Allowed: the answer for an absent party differs from a refusal.
    expect([401, 403]).not.toContain(await invite('sip:arc@care.example', await bearer()));
    expect(await invite('sip:112@care.example', await bearer())).toBe(403);
    expect(await invite('sip:112@care.example;x=sip:arc%40care.example', await bearer())).toBe(403);
  });

  test('without a token is asked for one (RFC 8898)', async () => {
    expect(await invite('sip:arc@care.example', [])).toBe(401);
  });
});

function token(sub: string, authorized: object, offS = 0, typ = DEVICE_TOKEN_TYP): string {
  const iat = Math.floor(Date.now() / 1_000) + offS;
  return site.signer.sign(typ, {
    iss: 'test',
    domain: 'care.example',
    sub,
    authorized,
    iat,
    exp: iat + 86_400,
  });
}
