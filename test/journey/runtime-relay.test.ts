import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { SignJWT } from 'jose';
import { connect } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReplyId } from '#appliance/delivery/callback/index.ts';
import { loadIdentity } from '#appliance/io/edge/index.ts';
import { replyKey } from '#appliance/io/http/index.ts';
import { openSite, pause, type Site } from '#test/support/site.ts';

const WITHIN_MS = 15_000;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

let site: Site;
/** siteBaseUrl. */
let listener: string;
let hostId: string;
let replyId: string;
beforeAll(async () => {
  site = await openSite();
  const identity = loadIdentity(site.applianceFolder);
  if (identity === undefined) throw new Error('the appliance is not enrolled');
  hostId = identity.hostId;
  const overview = await atCloud('GET', `/site/${site.domain}`);
  listener = (overview.body.data as { site: { siteBaseUrl: string }[] }).site[0]?.siteBaseUrl ?? '';
  const claims = { domain: site.domain, host: hostId, epoch: 1, session: 's1', refers: 'alarm' };
  const key = replyKey(identity.siteKeyPem);
  replyId = makeReplyId({ ...claims, iat: Math.floor(Date.now() / 1000) }, key.sign);
}, 90_000);
afterAll(() => site?.close(), 60_000);

async function atCloud(method: string, path: string, body?: unknown, token = site.token): Promise<Answer> {
  const response = await fetch(`${site.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function atSite(path: string, body: unknown, token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, rejectUnauthorized: false, agent: false };
    const request = httpsRequest(`${listener}${path}`, options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

const PATH = () => `/alarmbridge/${site.domain}/devicecommand`;
const command = () => ({ replyId, sessionId: 's1', command: 'volumeUp' });
const noCall = { status: 409, body: { success: false, error: { code: 'noVoiceCall' } } };

/** Asks the site until it answers so: a revision is on its way. */
async function until(status: number, token: string): Promise<Answer> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await atSite(PATH(), command(), token);
    if (answer.status === status || performance.now() > deadline) return answer;
    await pause(50);
  }
}

async function made(request: object): Promise<{ readonly id: string; readonly token: string }> {
  const { status, body } = await atCloud('POST', `/provisioning/apitoken/${site.domain}`, request);
  expect(status).toBe(200);
  return { id: String(body.id), token: String(body.token) };
}

describe('a token made in the cloud', () => {
  it('opens the site, and is refused there once it was deleted', async () => {
    const { id, token } = await made({ scope: 'runtime' });
    expect(await until(409, token)).toMatchObject(noCall);
    expect((await atCloud('DELETE', `/provisioning/apitoken/${site.domain}/${id}`)).status).toBe(200);
    expect(await until(401, token)).toMatchObject({
      status: 401,
      body: { success: false, error: { code: 'unauthorized' } },
    });
  });

  it('does not open it without the scope', async () => {
    const { token } = await made({ scope: 'read' });
    expect(await until(403, token)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });

  it('and signed by a registered key opens it until its jti is revoked', async () => {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ format: 'jwk' });
    const registered = await atCloud('POST', `/provisioning/apikey/${site.domain}`, {
      publicKey,
      alg: 'EdDSA',
    });
    const token = await new SignJWT({ sub: 'arc', scope: 'runtime' })
      .setProtectedHeader({ alg: 'EdDSA', kid: String(registered.body.kid) })
      .setJti('one-shift')
      .setAudience(site.api)
      .setIssuedAt()
      .setExpirationTime('10 min')
      .sign(pair.privateKey);
    expect(await until(409, token)).toMatchObject(noCall);
    const revocation = `/provisioning/apikey/${site.domain}/revocation`;
    expect((await atCloud('POST', revocation, { jti: 'one-shift' })).status).toBe(200);
    expect(await until(401, token)).toMatchObject({ status: 401 });
  });
});

describe('a command through the cloud', () => {
  it('reaches the host, which answers for itself', async () => {
    const { token } = await made({ scope: 'runtime' });
    expect(await until(409, token)).toMatchObject(noCall);
    const started = performance.now();
    expect(await atCloud('POST', PATH(), command(), token)).toMatchObject(noCall);
    expect(performance.now() - started).toBeLessThan(WITHIN_MS);
    const hangUp = `/alarmbridge/${site.domain}/hangupalarmcall`;
    expect(await atCloud('POST', hangUp, { replyId, sessionId: 's1' }, token)).toMatchObject(noCall);
    const other = { ...command(), sessionId: 's2' };
    expect(await atCloud('POST', PATH(), other, token)).toMatchObject({
      status: 400,
      body: { error: { code: 'replyIdInvalid', path: '/sessionId' } },
    });
  });

  it('is not possible for the platform owner, whom no site knows', async () => {
    const owner = readFileSync(`${site.cloudFolder}/bootstrap-token`, 'utf8').trim();
    expect(await atCloud('POST', PATH(), command(), owner)).toMatchObject({ status: 403 });
  });
});

/** Last: the cloud does not come back. */
describe('a SIP message', () => {
  const message = () => ({
    reqUri: `sip:scaip-0001@${site.domain}`,
    from: `sip:nobody@${site.domain}`,
    contentType: 'text/plain',
    body: 'hello',
  });
  const refusal = { success: false, error: { code: 'forbidden', path: '/from' } };

  it('is judged alike at the site, through the cloud and by the command queue', async () => {
    const path = `/sipmessage/${site.domain}/message`;
    expect(await atSite(path, message(), site.token)).toMatchObject({ status: 403, body: refusal });
    expect(await atCloud('POST', path, message())).toMatchObject({ status: 403, body: refusal });
    const queue = connect(site.commandQueue, {
      rejectUnauthorized: false,
      clientId: 'journey',
      username: 'any',
      password: site.token,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    await new Promise<void>((resolve, reject) => {
      queue.once('connect', () => resolve());
      queue.once('error', reject);
    });
    await queue.subscribeAsync(`cmd/${site.domain}/reply/journey`);
    const said = async (topic: string, command: object): Promise<unknown> => {
      const answer = new Promise((resolve) =>
        queue.once('message', (_, payload) => resolve(JSON.parse(payload.toString()))),
      );
      await queue.publishAsync(`cmd/${site.domain}/${topic}`, JSON.stringify(command), { qos: 1 });
      return await answer;
    };
    expect(await said('message', { method: 'MESSAGE', id: 'm1', ...message() })).toMatchObject({
      id: 'm1',
      ...refusal,
    });
    expect(await said('message', { method: 'CALL', id: 'm2' })).toMatchObject({
      id: 'm2',
      error: { code: 'invalid' },
    });
    const stop = { method: 'STOPSESSION', id: 'r1', replyId: 'forged', sessionId: 's1' };
    expect(await said('callrecording', stop)).toMatchObject({ id: 'r1', error: { code: 'replyIdInvalid' } });
    await queue.endAsync();
  });
});

it('statistics of handshakes are shown at the site and through the cloud', async () => {
  const path = `/alarmbridge/${site.domain}/handshakes`;
  const none = { status: 200, body: { success: true, entries: [] } };
  expect(await atSite(path, {}, site.token)).toMatchObject(none);
  expect(await atCloud('POST', path, {})).toMatchObject(none);
});

it('without the cloud the site still knows its callers', async () => {
  const { token } = await made({ scope: 'runtime' });
  expect(await until(409, token)).toMatchObject(noCall);
  await site.killCloud();
  expect(await atSite(PATH(), command(), token)).toMatchObject(noCall);
  expect(await atSite(PATH(), command(), 'ct_stranger')).toMatchObject({ status: 401 });
});
