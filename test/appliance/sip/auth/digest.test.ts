import { describe, expect, test } from 'vitest';
import { parseAuthField } from '#appliance/sip/auth/auth-field.ts';
import { digestResponse, ha1Of } from '#appliance/sip/auth/digest.ts';
import { authorize, chooseChallenge } from '#appliance/sip/auth/index.ts';
import { hash } from './fixture.ts';

describe('known answers', () => {
  const mufasa = (algorithm: 'SHA-256' | 'MD5') =>
    ha1Of(hash, algorithm, 'Mufasa', 'http-auth@example.org', 'Circle of Life');
  const rfc7616 = {
    session: false,
    method: 'GET',
    uri: '/dir/index.html',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    qop: { nc: '00000001', cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  };

  test('RFC 7616 3.9.1, SHA-256 and MD5', () => {
    expect(digestResponse(hash, mufasa('SHA-256'), { ...rfc7616, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
    expect(digestResponse(hash, mufasa('MD5'), { ...rfc7616, algorithm: 'MD5' })).toBe(
      '8ca523f5e9506fed4657c9700eebdbec',
    );
  });

  test('RFC 2617 3.5', () => {
    const ha1 = ha1Of(hash, 'MD5', 'Mufasa', 'testrealm@host.com', 'Circle Of Life');
    const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093';
    const request = {
      algorithm: 'MD5',
      session: false,
      method: 'GET',
      uri: '/dir/index.html',
      nonce,
    } as const;
    expect(ha1).toBe('939e7578ed9e3c518a452acee763bce9');
    expect(digestResponse(hash, ha1, { ...request, qop: { nc: '00000001', cnonce: '0a4f113b' } })).toBe(
      '6629fae49393a05397450978507c4ef1',
    );
    // Without qop: H(HA1:nonce:HA2) of the same inputs, RFC 2617 3.2.2.1 (and RFC 2069).
    expect(digestResponse(hash, ha1, request)).toBe('670fd8c2df070c60b045671b8b24ff02');
  });

  test('-sess binds HA1 to nonce and cnonce (RFC 7616 3.4.2)', () => {
    const ha1 = mufasa('SHA-256');
    const bound = hash('SHA-256', `${ha1}:${rfc7616.nonce}:${rfc7616.cnonce}`);
    expect(digestResponse(hash, ha1, { ...rfc7616, algorithm: 'SHA-256', session: true })).toBe(
      digestResponse(hash, bound, { ...rfc7616, algorithm: 'SHA-256' }),
    );
  });

  test('the client writes RFC 2617 3.5', () => {
    const challenge = chooseChallenge([
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    ]);
    if (!challenge.ok) throw new Error(challenge.error.reason);
    const login = { username: 'Mufasa', password: 'Circle Of Life' };
    const use = { count: 1, cnonce: '0a4f113b' };
    expect(authorize(hash, challenge.value, login, { method: 'GET', uri: '/dir/index.html' }, use)).toBe(
      'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
        'uri="/dir/index.html", response="6629fae49393a05397450978507c4ef1", cnonce="0a4f113b", qop=auth, nc=00000001, ' +
        'opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    );
  });
});

describe('which challenge a client answers', () => {
  const digest = (more: string) => `Digest realm="r", nonce="n"${more}`;
  test.each([
    [
      'the first one it can',
      [digest(', algorithm=SHA-512'), digest(', algorithm=SHA-256, qop="auth"'), digest('')],
      'SHA-256',
    ],
    ['MD5 when nothing is said', [digest('')], 'MD5'],
    ['quoted and in small letters, as some write it', [digest(', algorithm="md5"')], 'MD5'],
    [
      'not one that wants auth-int alone',
      [digest(', qop="auth-int"'), digest(', qop="auth-int, auth", algorithm=MD5')],
      'MD5',
    ],
  ])('%s', (_name, values, algorithm) => {
    expect(chooseChallenge(values)).toMatchObject({ ok: true, value: { algorithm } });
  });

  test.each([[[]], [['Basic realm="r"']], [[digest(', algorithm=SHA-512-256')]], [['Digest nonce="n"']]])(
    'none of %j',
    (values) => {
      expect(chooseChallenge(values)).toMatchObject({ ok: false, error: { code: 'Unanswerable' } });
    },
  );

  test('stale is seen, a server without qop gets none', () => {
    const challenge = chooseChallenge([digest(', stale=TRUE')]);
    if (!challenge.ok) throw new Error(challenge.error.reason);
    expect(challenge.value.stale).toBe(true);
    const value = authorize(
      hash,
      challenge.value,
      { username: 'a"b', password: 'p' },
      { method: 'A', uri: 'u' },
      { count: 1, cnonce: 'c' },
    );
    expect(value).not.toMatch(/qop|nc=|cnonce/);
    expect(value).toContain('username="a\\"b"');
  });
});

describe('reading the field', () => {
  test('quotes, escapes, folds, commas and small and capital names', () => {
    const field = parseAuthField('DIGEST  UserName = "a\\"b,c" ,\r\n realm="x=y", NC=00000001,qop=auth');
    expect(field.ok && [field.value.scheme, ...field.value.parameters]).toEqual([
      'digest',
      ['username', 'a"b,c'],
      ['realm', 'x=y'],
      ['nc', '00000001'],
      ['qop', 'auth'],
    ]);
  });

  test.each(['Digest a=b,', 'Digest a=b, ,c=d', 'Digest a=b,,c=d , '])('with empty pieces: %s', (text) => {
    expect(parseAuthField(text)).toMatchObject({ ok: true, value: { scheme: 'digest' } });
  });

  test('a bearer token', () => {
    expect(parseAuthField('Bearer abc.def.ghi==')).toMatchObject({
      ok: true,
      value: { scheme: 'bearer', token: 'abc.def.ghi==' },
    });
  });

  test.each([
    ['', 'nothing'],
    ['Digest', 'no parameters'],
    ['Digest username', 'no value'],
    ['Digest username=', 'empty value'],
    ['Digest username="a', 'no end of the quotes'],
    ['Digest username="a\\', 'an escape at the end'],
    ['Digest username="a" realm="b"', 'no comma'],
    ['Digest username="a", username="b"', 'one name twice'],
    [`Digest ${Array.from({ length: 33 }, (_, i) => `p${i}=1`).join(',')}`, 'too many'],
    [`Digest a="${'x'.repeat(9_000)}"`, 'too long'],
  ])('%.30s: %s', (text) => {
    expect(parseAuthField(text)).toMatchObject({ ok: false, error: { code: 'Malformed' } });
  });
});
