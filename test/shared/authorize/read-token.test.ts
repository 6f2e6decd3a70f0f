import { describe, expect, test } from 'vitest';
import { DEVICE_TOKEN_TYP, readDeviceToken } from '#shared/authorize/index.ts';

const NOW = 1_900_000_000_000;
const claims = {
  iss: 'https://cloud.test',
  domain: 'a.test',
  sub: 'tablet-7',
  authorized: { invite: '^sip:1', register: true },
  iat: NOW / 1000,
  exp: NOW / 1000 + 600,
};
const jws = (payload: unknown, typ: unknown = DEVICE_TOKEN_TYP) => ({ typ, payload });

describe('a device token whose signature was checked', () => {
  test('says who and what, also to a reader that is older', () => {
    const read = readDeviceToken(jws({ ...claims, newer: true }), 'a.test', NOW);
    expect(read).toEqual({ ok: true, value: claims });
  });

  const wrong: readonly (readonly [string, Parameters<typeof readDeviceToken>[0], string, number, RegExp])[] =
    [
      ['no known key', undefined, 'a.test', NOW, /platform or site/],
      ['a twin signed by the same key', jws(claims, 'carillon-twin'), 'a.test', NOW, /platform or site/],
      ['without typ', jws(claims, null), 'a.test', NOW, /platform or site/],
      ['of another tenant', jws(claims), 'b.test', NOW, /another tenant/],
      ['ended', jws(claims), 'a.test', NOW + 661_000, /ended/],
      ['from the future', jws(claims), 'a.test', NOW - 61_000, /future/],
      ['without sub', jws({ ...claims, sub: '' }), 'a.test', NOW, /lacks/],
      ['no object', jws('text'), 'a.test', NOW, /lacks/],
    ];
  test.each(wrong)('%s: refused', (_name, verified, domain, now, reason) => {
    const read = readDeviceToken(verified, domain, now);
    expect(read).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(read.ok ? '' : read.error.reason).toMatch(reason);
  });
});
