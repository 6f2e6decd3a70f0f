import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeSenderKey, openSenderKey } from '#cloud/io/key/index.ts';

/* The key of the installation for push services (RFC 8292). */

const NOW = 1_770_000_000_000;
const ORIGIN = 'https://push.example.net';

/** The parts of the header as a push service reads it. */
async function received(header: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]{87})$/.exec(header) ?? [];
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return { key, ...(await jwtVerify(token, publicKey, { audience: ORIGIN, currentDate: new Date(NOW) })) };
}

describe('the token for a push service', () => {
  test('is signed with the key that browsers subscribe for, and names origin, end and contact', async () => {
    const opened = openSenderKey(makeSenderKey(), 'https://carillon.example');
    const { key, payload, protectedHeader } = await received(await opened.authorization(ORIGIN, NOW));
    expect(key).toBe(opened.publicKey);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT' });
    expect(payload).toEqual({ aud: ORIGIN, exp: NOW / 1_000 + 12 * 3_600, sub: 'https://carillon.example' });
  });

  test('is refused under another origin, and names no contact that is not there', async () => {
    const opened = openSenderKey(makeSenderKey(), undefined);
    expect((await received(await opened.authorization(ORIGIN, NOW))).payload).not.toHaveProperty('sub');
    await expect(received(await opened.authorization('https://other.example', NOW))).rejects.toThrow('aud');
  });

  test('comes from the same key after it was kept', () => {
    const kept = makeSenderKey();
    expect(openSenderKey(kept, undefined).publicKey).toBe(openSenderKey(kept, undefined).publicKey);
    expect(openSenderKey(makeSenderKey(), undefined).publicKey).not.toBe(
      openSenderKey(kept, undefined).publicKey,
    );
  });
});
