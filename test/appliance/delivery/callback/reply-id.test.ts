import { generateKeyPairSync } from 'node:crypto';
import { compactVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { makeReplyId, readReplyId } from '#appliance/delivery/callback/index.ts';
import { replyKey } from '#appliance/io/http/index.ts';

const pair = generateKeyPairSync('ed25519');
const key = replyKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
const other = replyKey(
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
);

const claims = { domain: 'care.example', host: 'h1', epoch: 3, session: 's1', refers: 'alarm', iat: 1_000 };
const expected = { domain: 'care.example', wallMs: 1_500_000, maxAgeS: 3_600 };
const read = (token: string, change: Partial<typeof expected> = {}) =>
  readReplyId(token, { ...expected, ...change }, key.verify);

describe('replyId', () => {
  it('is a compact JWS that another implementation verifies', async () => {
    const { payload } = await compactVerify(makeReplyId(claims, key.sign), pair.publicKey);
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
  });

  it('comes back with what it says', () => {
    expect(read(makeReplyId(claims, key.sign))).toEqual({ ok: true, value: claims });
  });

  it('is invalid when it is of another site, another tenant, or too old', () => {
    const invalid = { ok: false, error: { code: 'replyIdInvalid' } };
    expect(read(makeReplyId(claims, other.sign))).toMatchObject(invalid);
    expect(read(makeReplyId(claims, key.sign), { domain: 'other.example' })).toMatchObject(invalid);
    expect(read(makeReplyId(claims, key.sign), { wallMs: 4_601_000 })).toMatchObject(invalid);
  });

  it('that was tampered with in any sign is invalid', () => {
    const token = makeReplyId(claims, key.sign);
    // The last sign of the signature carries bits that do not count.
    for (let at = 0; at < token.length - 1; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(read(changed).ok).toBe(false);
    }
  });

  it.each(['', '.', '..', 'a.b.c', 'a.b.c.d', 'eyJhbGciOiJub25lIn0.e30.', 'nonsense'])(
    '%j is none',
    (token) => {
      expect(read(token)).toMatchObject({ ok: false, error: { code: 'replyIdInvalid' } });
    },
  );
});
