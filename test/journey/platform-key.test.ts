import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteKeys, siteSigner, temporarySiteKey } from '#appliance/io/site-listener/index.ts';
import { readBody } from '#appliance/replica/index.ts';
import { writeRequest } from '#appliance/sip/message/index.ts';
import { believedKeys, type HostIdentity } from '#appliance/site/index.ts';
import { DEVICE_TOKEN_TYP } from '#shared/authorize/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

/** Key of the enrolment, the one that follows it, and the site's own. */
const [pinned, next] = [siteSigner(temporarySiteKey()), siteSigner(temporarySiteKey())];
const rowOf = ({ publicKey, kid }: typeof pinned) => ({ ...publicKey.export({ format: 'jwk' }), kid });

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let registers = 0;

beforeEach(async () => {
  const identity = { verifyKeys: [rowOf(pinned)], siteKeyPem: temporarySiteKey() } as unknown as HostIdentity;
  const keys = siteKeys(identity, () => believedKeys(appliance.tenant.access.verifyKeys, identity));
  appliance = await testAppliance({ verifyToken: keys.readToken });
  appliance.device({ deviceId: 'tablet', authType: 'userid', authorized: { register: true } });
});
afterEach(() => appliance.close());

/** A row of scope `platform` as the replica reads it. */
function replicate(body: object): void {
  const { kid } = body as { kid: string };
  const read = readBody('verifykey', kid, body);
  if (read.faults !== undefined || read.change === undefined) throw new Error(JSON.stringify(read));
  appliance.tenant.apply([read.change]);
}

/** Status of a REGISTER over WebSocket that shows a token by this key. */
async function register(by: typeof pinned): Promise<number> {
  const iat = Math.floor(appliance.clock.wallMs() / 1_000);
  const token = by.sign(DEVICE_TOKEN_TYP, {
    domain: 'care.example',
    sub: 'tablet',
    authorized: { register: true },
    iss: 'https://cloud.example',
    iat,
    exp: iat + 3_600,
  });
  const number = ++registers;
  const bytes = writeRequest({
    method: 'REGISTER',
    uri: 'sip:care.example',
    headers: [
      ['Via', `SIP/2.0/WSS tablet.invalid;branch=z9hG4bK${number}`],
      ['Max-Forwards', '70'],
      ['From', `<sip:tablet@care.example>;tag=${number}`],
      ['To', '<sip:tablet@care.example>'],
      ['Call-ID', `${number}@tablet.invalid`],
      ['CSeq', '1 REGISTER'],
      ['Contact', '<sip:tablet@tablet.invalid;transport=ws>'],
      ['Authorization', `Bearer ${token}`],
    ],
  });
  const flow = { localAddress: '192.0.2.10', localPort: 443, remoteAddress: '192.0.2.9', remotePort: 50_000 };
  appliance.runtime.message({ ...flow, transport: 'WSS', reliable: true, connection: 7 }, bytes);
  await appliance.after(10_000);
  const [answer] = appliance.take();
  return answer?.kind === 'response' ? answer.status : 0;
}

describe('a token of a device that the cloud has signed', () => {
  it('counts by the key of the enrolment, until rows say which keys count', async () => {
    expect(await register(pinned)).toBe(200);
    expect(await register(next)).toBe(401);

    replicate(rowOf(pinned));
    replicate(rowOf(next));
    expect(await register(pinned)).toBe(200);
    expect(await register(next)).toBe(200);

    // The old key is withdrawn.
    appliance.tenant.remove('verifykey', pinned.kid);
    expect(await register(pinned)).toBe(401);
    expect(await register(next)).toBe(200);
  });

  it('is refused by a key whose row was taken back before anybody pinned it', async () => {
    replicate(rowOf(next));
    expect(await register(next)).toBe(200);
    appliance.tenant.remove('verifykey', next.kid);
    expect(await register(next)).toBe(401);
    expect(await register(pinned)).toBe(200);
  });
});

describe('a row that is no key', () => {
  it.each([
    [{ ...rowOf(next), x: 'short' }, '/x'],
    [{ ...rowOf(next), crv: 'P-256' }, '/crv'],
    [{ ...rowOf(next), kty: 'RSA' }, '/kty'],
  ])('is refused with its place %#', (body, place) => {
    const read = readBody('verifykey', next.kid, body);
    expect(read.faults?.map(({ path }) => path)).toEqual([`/verifykey/${next.kid}${place}`]);
  });

  it('is refused when it names another than its own', () => {
    expect(readBody('verifykey', 'other', rowOf(next)).faults).toHaveLength(1);
  });
});
