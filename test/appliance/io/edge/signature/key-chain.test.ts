import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { followKeys, hostReader, keysFrom, kidOf } from '#appliance/io/edge/index.ts';
import { KEY_TYP, TWIN_TYP } from '#shared/contract/feed/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';

interface Pair {
  readonly key: VerifyKey;
  readonly privateKey: KeyObject;
}

function pair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(x).digest('base64url');
  return { key: { kty: 'OKP', crv: 'Ed25519', x, kid }, privateKey };
}

const [a, b, c, stranger] = [pair(), pair(), pair(), pair()];

/** That `by` is followed by `next`; what is given besides makes it something else. */
const statement = (
  by: Pair,
  next: Pair,
  { typ = KEY_TYP, kid = by.key.kid, after = by.key.kid, v = 1 } = {},
): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify({ v, key: next.key, after })))
    .setProtectedHeader({ alg: 'EdDSA', typ, kid })
    .sign(by.privateKey);

const kids = (keys: readonly VerifyKey[]) => keys.map(({ kid }) => kid);
const follow = async (known: readonly Pair[], ...chain: readonly string[]) =>
  await followKeys(
    known.map(({ key }) => key),
    chain,
  );

describe('a new key of the control plane', () => {
  it('is believed when one that is known has signed that it follows, and so is the one after it', async () => {
    const followed = await follow([a], await statement(a, b), await statement(b, c));
    expect(kids(followed.keys)).toEqual(kids([a.key, b.key, c.key]));
    // Something by the last of them: those before count no more.
    expect(kids(keysFrom(followed, c.key.kid))).toEqual([c.key.kid]);
    // By the one that is about to go: the next is known already.
    expect(kids(keysFrom(await follow([a], await statement(a, b)), a.key.kid))).toEqual(kids([a.key, b.key]));
  });

  it('may be known already: then its statement says only whose place it takes', async () => {
    const followed = await follow([a, b], await statement(a, b));
    expect(kids(followed.keys)).toEqual(kids([a.key, b.key]));
    expect(kids(keysFrom(followed, b.key.kid))).toEqual([b.key.kid]);
  });

  it.each([
    ['a stranger', () => statement(stranger, b)],
    ['a stranger who says it is by a known key', () => statement(stranger, b, { kid: a.key.kid })],
    ['itself', () => statement(b, b)],
    ['a known key, as something else', () => statement(a, b, { typ: TWIN_TYP })],
    ['a known key, for the place of another', () => statement(a, b, { after: c.key.kid })],
    ['a known key, of a later version', () => statement(a, b, { v: 2 })],
    ['nobody', async () => 'no.statement'],
    ['nobody at all', async () => ''],
  ])('is not believed when the statement is by %s', async (_, made) => {
    const followed = await follow([a], await made());
    expect(kids(followed.keys)).toEqual([a.key.kid]);
    expect(followed.before.size).toBe(0);
  });

  it('is not believed by a statement that was altered', async () => {
    const [header, , signature] = (await statement(a, b)).split('.');
    const payload = Buffer.from(JSON.stringify({ v: 1, key: c.key, after: a.key.kid })).toString('base64url');
    expect(kids((await follow([a], [header, payload, signature].join('.'))).keys)).toEqual([a.key.kid]);
  });

  it('counts in the order of the changes only', async () => {
    const followed = await follow([a], await statement(b, c), await statement(a, b));
    expect(kids(followed.keys)).toEqual(kids([a.key, b.key]));
  });

  it('cannot bring an older key back in a circle', async () => {
    const followed = await follow([a], await statement(a, b), await statement(b, a));
    expect(kids(keysFrom(followed, b.key.kid))).toEqual([b.key.kid]);
    expect(kids(keysFrom(followed, undefined))).toEqual(kids([a.key, b.key]));
  });

  it('is named by what it signs', async () => {
    expect(kidOf(await statement(a, b))).toBe(a.key.kid);
    expect(kidOf('nothing')).toBeUndefined();
  });
});

describe('a host that was away while the key changed', () => {
  const twin = (by: Pair) =>
    new CompactSign(Buffer.from('{"v":1}'))
      .setProtectedHeader({ alg: 'EdDSA', typ: TWIN_TYP, kid: by.key.kid })
      .sign(by.privateKey);
  const away = (chain: readonly string[]) => {
    let [asked, nowMs] = [0, 0];
    const statements = async () => {
      asked++;
      return chain;
    };
    const read = hostReader(
      { verifyKeys: [a.key] },
      () => [],
      statements,
      () => nowMs,
    );
    return { read, asked: () => asked, later: (ms: number) => (nowMs += ms) };
  };

  it('follows the statements from the key that it has pinned, and asks once', async () => {
    const host = away([await statement(a, b), await statement(b, c)]);
    expect(await host.read(await twin(c), TWIN_TYP)).toEqual({ v: 1 });
    expect(await host.read(await twin(b), TWIN_TYP)).toEqual({ v: 1 });
    expect(await host.read(await twin(a), TWIN_TYP)).toEqual({ v: 1 });
    expect(host.asked()).toBe(1);
  });

  it('believes no key to which no statement leads, and does not ask for each of its twins', async () => {
    const host = away([await statement(stranger, b), await statement(b, c)]);
    for (let tries = 0; tries < 5; tries++) expect(await host.read(await twin(c), TWIN_TYP)).toBeUndefined();
    expect(host.asked()).toBe(1);
    host.later(10_000);
    expect(await host.read(await twin(stranger), TWIN_TYP)).toBeUndefined();
    expect(host.asked()).toBe(2);
  });

  it('makes no request about what a known key has signed', async () => {
    const host = away([]);
    expect(await host.read(await twin(a), TWIN_TYP)).toEqual({ v: 1 });
    expect(await host.read(await twin(a), KEY_TYP)).toBeUndefined();
    expect(host.asked()).toBe(0);
  });
});
