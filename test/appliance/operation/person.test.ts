import { generateKeyPairSync } from 'node:crypto';
import { CompactSign, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { signedReader } from '#appliance/io/edge/index.ts';
import { bearerCrypto } from '#appliance/io/site-listener/index.ts';
import { answerOperation, type OperationRoutePorts, UsedStatements } from '#appliance/operation/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { PERSON_TYP, type PersonStatement } from '#shared/contract/access/index.ts';
import { canonicalJson, TWIN_TYP } from '#shared/contract/feed/index.ts';
import { ok } from '#shared/result.ts';

const NOW = Date.UTC(2030, 0, 1);
const NOW_S = NOW / 1000;
const DOMAIN = 'care.example';
const UID = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const BODY = { limit: 20 };

const crypto = bearerCrypto();
const platform = generateKeyPairSync('ed25519');
const { x = '' } = platform.publicKey.export({ format: 'jwk' });
const KEY = { kty: 'OKP', crv: 'Ed25519', x, kid: 'platform-1' } as const;

let now: number;
let accepted: boolean;
let believed: PersonStatement[];
let asked: number;
let used: UsedStatements;
beforeEach(() => {
  now = NOW;
  accepted = true;
  believed = [];
  asked = 0;
  used = new UsedStatements(NOW - 3_600_000);
});

const statement = (more: object = {}): object => ({
  v: 1,
  domain: DOMAIN,
  aud: UID,
  sub: 'person:anna',
  role: 'operator',
  operation: 'handshakes',
  body: crypto.sha256Hex(canonicalJson(BODY)),
  jti: 'statement-1',
  iat: NOW_S,
  exp: NOW_S + 60,
  ...more,
});

const signed = (
  payload: object,
  header: { typ?: string; kid?: string; alg?: string } = {},
  key = platform.privateKey,
): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ: PERSON_TYP, kid: KEY.kid, ...header })
    .sign(key);

/** The operation as a relay hands it over; only what `handshakes` needs is there. */
async function ask(compact: string, body: unknown = BODY, scheme = 'Person') {
  const open = signedReader(() => [KEY]);
  const ports = {
    domain: DOMAIN,
    access: new TenantModel(DOMAIN).access,
    siteBaseUrl: 'https://north.care.example',
    crypto,
    wallMs: () => now,
    handshakes: {
      list: () => {
        asked += 1;
        return [];
      },
    },
    person: {
      uid: UID,
      open: (text: string) => open(text, PERSON_TYP),
      accepted,
      used,
      sha256Hex: crypto.sha256Hex,
      admitted: (who: PersonStatement) => believed.push(who),
    },
  } as unknown as OperationRoutePorts;
  return await answerOperation(ports, {
    operation: 'handshakes',
    domain: DOMAIN,
    authorization: `${scheme} ${compact}`,
    body: () => ok(body),
  });
}

const code = async (compact: string, body?: unknown): Promise<readonly [number, unknown]> => {
  const answer = await ask(compact, body);
  const { error } = answer.body as { error?: { code: string } };
  return [answer.status, error?.code];
};

const INVALID = [401, 'personStatementInvalid'];

describe('a person who is signed in to the control plane', () => {
  it('is believed by one statement, and named in the audit', async () => {
    expect(await ask(await signed(statement()))).toMatchObject({ status: 200, body: { success: true } });
    expect(asked).toBe(1);
    expect(believed).toMatchObject([{ sub: 'person:anna', operation: 'handshakes', jti: 'statement-1' }]);
  });

  it.each([
    ['for another host', { aud: '01jc7z5t3k9q8w6m4n2p0r1s5w' }],
    ['about another tenant', { domain: 'other.example' }],
    ['about another operation', { operation: 'devicecommand' }],
    ['about another body', { body: crypto.sha256Hex('{}') }],
    ['that has expired', { iat: NOW_S - 200, exp: NOW_S - 140 }],
    ['that lives too long', { exp: NOW_S + 61 }],
    ['from the future', { iat: NOW_S + 61, exp: NOW_S + 120 }],
    ['without a life', { exp: undefined }],
    ['of a later version', { v: 2 }],
    ['without its own name', { jti: '' }],
  ])('is refused with a statement %s', async (_, more) => {
    expect(await code(await signed(statement(more)))).toEqual(INVALID);
    expect(asked).toBe(0);
  });

  it('is refused with a body that is not the one of the statement', async () => {
    expect(await code(await signed(statement()), { limit: 21 })).toEqual(INVALID);
    // The order of members is no difference.
    const body = { b: 1, a: 2 };
    const of = await signed(statement({ body: crypto.sha256Hex(canonicalJson({ a: 2, b: 1 })) }));
    expect((await ask(of, body)).status).not.toBe(401);
  });

  it('is refused the second time, also after a restart', async () => {
    const compact = await signed(statement());
    expect((await ask(compact)).status).toBe(200);
    expect(await code(compact)).toEqual(INVALID);
    now += 100_000;
    expect(await code(compact)).toEqual(INVALID);
    used = new UsedStatements(NOW + 1);
    expect(await code(compact)).toEqual(INVALID);
    expect(asked).toBe(1);
  });

  it('is refused with a forged statement, and with another text of the control plane', async () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    expect(await code(await signed(statement(), {}, stranger))).toEqual(INVALID);
    expect(await code(await signed(statement(), { typ: TWIN_TYP }))).toEqual(INVALID);
    expect(await code(await signed(statement(), { kid: 'unknown' }))).toEqual(INVALID);
    const whole = await signed(statement());
    const [head, , signature] = whole.split('.');
    const other = Buffer.from(JSON.stringify(statement({ role: 'owner' }))).toString('base64url');
    expect(await code(`${head}.${other}.${signature}`)).toEqual(INVALID);
  });

  it('is refused with an algorithm that is not the one of the key', async () => {
    const payload = { ...statement() };
    // The public key as the secret of an HMAC, and no signature at all (RFC 8725 2.1).
    const confused = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', typ: PERSON_TYP, kid: KEY.kid })
      .sign(Buffer.from(x, 'base64url'));
    expect(await code(confused)).toEqual(INVALID);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${part({ alg: 'none', typ: PERSON_TYP, kid: KEY.kid })}.${part(payload)}.`;
    expect(await code(none)).toEqual(INVALID);
    const own = generateKeyPairSync('ed25519');
    const jwk = own.publicKey.export({ format: 'jwk' });
    const brought = await new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA', typ: PERSON_TYP, kid: KEY.kid, jwk })
      .sign(own.privateKey);
    expect(await code(brought)).toEqual(INVALID);
  });

  it('needs the role, and the tenant that lets persons ask', async () => {
    expect(await code(await signed(statement({ role: 'viewer' })))).toEqual([403, 'forbidden']);
    expect(await code(await signed(statement({ role: 'technician', jti: 'statement-2' })))).toEqual([
      403,
      'forbidden',
    ]);
    accepted = false;
    expect(await code(await signed(statement()))).toEqual([403, 'personStatementsRefused']);
    expect(asked).toBe(0);
  });

  it('is no bearer: a statement in the place of a token opens nothing', async () => {
    const answer = await ask(await signed(statement()), BODY, 'Bearer');
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  });
});
