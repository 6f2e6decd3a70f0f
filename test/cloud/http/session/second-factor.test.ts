import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAfter, readSecondFactor } from '#cloud/store/index.ts';
import { stepAt, totp } from '#cloud/tenant/person/totp.ts';
import { ask, makeTenant, OWNER_TOKEN, openApi, type TestApi } from '../api.ts';
import { type Browser, browse, makePerson, PASSWORD } from '../people.ts';

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha1', key).update(data).digest();
const ADA = 'ada@care.example';
const BO = 'bo@care.example';
const DEVICES = '/provisioning/device/a.test';
const FACTOR = '/session/secondfactor';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

let api: TestApi;
let ada: Browser;
let bo: Browser;
let secret: Buffer;
let recoveryCodes: string[];

beforeAll(async () => {
  api = await openApi();
  await makeTenant(api, 'a.test');
  ada = await makePerson(api, 'a.test', ADA, 'admin');
  bo = await makePerson(api, 'a.test', BO, 'viewer');
});
afterAll(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** As the authenticator shows it now. */
const code = (from = secret): string => totp(from, stepAt(api.clock.now), hmac);
const later = (): void => {
  api.clock.now += 30_000;
};
const signInWith = (email: string, more: object = {}, address = '192.0.2.1') =>
  ask(api, 'POST', '/session', { token: null, body: { email, password: PASSWORD, ...more }, address });
const refused = (status: number, of: string) => ({ status, body: { success: false, error: { code: of } } });
const browserFrom = (answer: Awaited<ReturnType<typeof signInWith>>): Browser => ({
  cookie: /__Host-carillon=([^;]+)/.exec(answer.headers.get('Set-Cookie') ?? '')?.[1] ?? '',
  csrfToken: String(answer.body.csrfToken),
});
const actions = async (): Promise<string[]> =>
  (await auditAfter(api.database.store, '', 0, 1_000)).map(({ action }) => action);

describe('a person sets a second factor up', () => {
  test('with a secret that is shown once, and a code that proves it', async () => {
    const begun = await browse(api, ada, 'POST', FACTOR);
    expect(begun.status).toBe(200);
    secret = fromBase32(String(begun.body.secret));
    expect(secret).toHaveLength(20);
    expect(String(begun.body.uri)).toBe(
      `otpauth://totp/${encodeURIComponent(`Carillon cloud.carillon.test:${ADA}`)}?secret=${begun.body.secret}&issuer=Carillon%20cloud.carillon.test`,
    );
    // Until it is confirmed the password alone lets in.
    expect((await signInWith(ADA)).status).toBe(200);
    expect(await browse(api, ada, 'PUT', FACTOR, { body: { code: '000000' } })).toMatchObject(
      refused(403, 'secondFactorWrong'),
    );
    const confirmed = await browse(api, ada, 'PUT', FACTOR, { body: { code: code() } });
    expect(confirmed.status).toBe(200);
    recoveryCodes = confirmed.body.recoveryCodes as string[];
    expect(recoveryCodes).toHaveLength(10);
    for (const each of recoveryCodes) expect(each).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
    expect((await browse(api, ada, 'GET', '/session')).body.secondFactor).toEqual({
      ...{ isSet: true, isGiven: true, isMissing: false, recoveryCodesLeft: 10 },
    });
    expect(await browse(api, ada, 'POST', FACTOR)).toMatchObject(refused(409, 'conflict'));
    expect(await actions()).toContain('set up second factor');
  });

  test('and neither its secret nor the recovery codes lie open in the database', async () => {
    const { db, tables } = api.database.store;
    const stored = JSON.stringify(await db.select().from(tables.secondFactor));
    expect(stored).not.toContain(secret.toString('base64url'));
    for (const each of recoveryCodes) expect(stored).not.toContain(each.replace('-', ''));
  });

  test('not with a token, and not with a password that was given long ago', async () => {
    expect(await ask(api, 'POST', FACTOR, { token: OWNER_TOKEN })).toMatchObject(refused(403, 'forbidden'));
    const before = api.clock.now;
    api.clock.now += 5 * 60_000;
    expect(await browse(api, bo, 'POST', FACTOR)).toMatchObject(refused(403, 'reauthenticationRequired'));
    api.clock.now = before;
  });
});

describe('a sign-in has two steps then', () => {
  test('the password alone is refused by a code of its own, and the code lets in, once', async () => {
    later();
    expect(await signInWith(ADA)).toMatchObject(refused(403, 'secondFactorRequired'));
    const used = code();
    const answer = await signInWith(ADA, { code: used });
    expect(answer).toMatchObject({ status: 200, body: { secondFactor: { isSet: true, isGiven: true } } });
    expect(await signInWith(ADA, { code: used })).toMatchObject(refused(403, 'secondFactorWrong'));
    expect((await browse(api, browserFrom(answer), 'GET', DEVICES)).status).toBe(200);
    // A code with a wrong password says nothing of the code.
    const guess = { email: ADA, password: 'wrong', code: code() };
    expect(await ask(api, 'POST', '/session', { token: null, body: guess })).toMatchObject(
      refused(401, 'unauthorized'),
    );
  });

  test('a recovery code is good once, in whatever form it is typed', async () => {
    const [first = '', second = ''] = recoveryCodes;
    expect((await signInWith(ADA, { code: first })).status).toBe(200);
    expect(await signInWith(ADA, { code: first })).toMatchObject(refused(403, 'secondFactorWrong'));
    const answer = await signInWith(ADA, { code: ` ${second.replace('-', '').toUpperCase()} ` });
    expect(answer).toMatchObject({ status: 200, body: { secondFactor: { recoveryCodesLeft: 8 } } });
    expect(await actions()).toContain('use recovery code');
  });

  test('codes are guessed no faster than passwords, though the password is known', async () => {
    const from = '203.0.113.7';
    const answers = [];
    for (let step = 0; step < 7; step++)
      answers.push(await signInWith(ADA, step % 2 === 0 ? {} : { code: '000000' }, from));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429, 429]);
    later();
    expect(await signInWith(ADA, { code: code() }, from)).toMatchObject(refused(429, 'tooManyRequests'));
    // Another network, where the person comes from, is not concerned.
    expect((await signInWith(ADA, { code: code() })).status).toBe(200);
  });

  test('an invitation that takes the password does not free the counter', async () => {
    await makeTenant(api, 'mine.test');
    const from = '203.0.113.8';
    for (let step = 0; step < 4; step++) await signInWith(ADA, { code: '000000' }, from);
    const invited = await ask(api, 'POST', '/provisioning/user/mine.test', {
      body: { email: ADA, role: 'viewer' },
    });
    const path = new URL(String(invited.body.link)).pathname;
    const body = { email: ADA, password: PASSWORD };
    expect((await ask(api, 'POST', path, { token: null, body, address: from })).status).toBe(200);
    expect(await signInWith(ADA, { code: '000000' }, from)).toMatchObject(refused(429, 'tooManyRequests'));
  });
});

describe('a tenant demands a second factor', () => {
  const demand = (secondFactorRequired: boolean) =>
    ask(api, 'PATCH', '/platform/tenant/a.test', { body: { secondFactorRequired } });

  test('a session that runs goes on until it ends, one that begins may only set it up', async () => {
    bo = browserFrom(await signInWith(BO));
    api.clock.now += 1;
    expect((await demand(true)).status).toBe(200);
    expect((await ask(api, 'GET', '/platform/tenant/a.test')).body.tenant).toEqual({
      ...{ domain: 'a.test', secondFactorRequired: true },
    });
    expect((await browse(api, bo, 'GET', DEVICES)).status).toBe(200);

    const answer = await signInWith(BO);
    expect(answer).toMatchObject({ status: 200, body: { secondFactor: { isSet: false, isMissing: true } } });
    const later = browserFrom(answer);
    for (const [method, path] of [
      ['GET', DEVICES],
      ['PUT', DEVICES],
      ['GET', '/provisioning/currentuser/profile'],
      ['GET', '/provisioning/currentuser/tenants'],
      ['POST', '/provisioning/apitoken/a.test'],
      ['GET', '/site/a.test'],
    ] as const)
      expect(await browse(api, later, method, path), path).toMatchObject(
        path === '/site/a.test' ? { status: 404 } : refused(403, 'secondFactorRequired'),
      );
    const begun = await browse(api, later, 'POST', FACTOR);
    const own = fromBase32(String(begun.body.secret));
    expect((await browse(api, later, 'PUT', FACTOR, { body: { code: code(own) } })).status).toBe(200);
    expect((await browse(api, later, 'GET', DEVICES)).status).toBe(200);
    expect((await browse(api, later, 'GET', '/session')).body.secondFactor).toMatchObject({
      isMissing: false,
    });

    api.clock.now += 30_000;
    expect(await browse(api, later, 'DELETE', FACTOR, { body: { code: '000000' } })).toMatchObject(
      refused(403, 'secondFactorWrong'),
    );
    expect((await browse(api, later, 'DELETE', FACTOR, { body: { code: code(own) } })).status).toBe(200);
    expect(await browse(api, later, 'GET', DEVICES)).toMatchObject(refused(403, 'secondFactorRequired'));
    expect((await browse(api, later, 'DELETE', '/session')).status).toBe(200);
  });

  test('tokens and keys are not concerned, and the demand can be taken back', async () => {
    expect((await ask(api, 'GET', DEVICES)).status).toBe(200);
    const mine = browserFrom(await signInWith(BO));
    expect(await browse(api, mine, 'GET', DEVICES)).toMatchObject(refused(403, 'secondFactorRequired'));
    expect((await demand(false)).status).toBe(200);
    expect((await browse(api, mine, 'GET', DEVICES)).status).toBe(200);
    expect((await ask(api, 'GET', '/platform/tenant/a.test')).body.tenant).toEqual({ domain: 'a.test' });
  });

  test('sites hear nothing of it', async () => {
    const { db, tables } = api.database.store;
    const changes = await db.select().from(tables.configChange);
    expect(JSON.stringify(changes)).not.toMatch(/secondFactor/i);
  });
});

test('the platform owner takes the second factor of a person away who has lost it', async () => {
  const personId = String(((await browse(api, ada, 'GET', '/session')).body.person as { id: string }).id);
  const path = `/platform/person/${personId}/secondfactor`;
  expect((await browse(api, bo, 'DELETE', path)).status).toBe(403);
  expect((await ask(api, 'DELETE', path)).status).toBe(200);
  expect(await readSecondFactor(api.database.store, personId)).toBeUndefined();
  expect((await signInWith(ADA)).status).toBe(200);
  expect(await ask(api, 'DELETE', path)).toMatchObject(refused(404, 'notFound'));
  expect(await actions()).toContain('reset second factor');
});
