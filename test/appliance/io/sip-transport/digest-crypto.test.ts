import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestCrypto } from '#appliance/io/sip-transport/index.ts';

test('hashes by their names, texts as UTF-8', () => {
  const { hash } = digestCrypto();
  expect(hash('MD5', '')).toBe('d41d8cd98f00b204e9800998ecf8427e');
  expect(hash('SHA-256', 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hash('MD5', 'å')).toBe(hash('MD5', Buffer.from('c3a5', 'hex').toString()));
});

test('the key is of one process and stays', () => {
  const [one, other] = [digestCrypto(), digestCrypto()];
  expect(one.hmac('x')).toEqual(one.hmac('x'));
  expect(one.hmac('x')).not.toEqual(other.hmac('x'));
  expect(one.hmac('x')).toHaveLength(64);
});

test('the signature is HMAC-SHA-256 (RFC 4231 4.2 and 4.3, and Node)', () => {
  const hmac = (key: Uint8Array, text: string) => digestCrypto(key).hmac(text);
  expect(hmac(Buffer.alloc(20, 0x0b), 'Hi There')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  );
  expect(hmac(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const key = Buffer.from('0123456789abcdef0123456789abcdef');
  const { hmac: again } = digestCrypto(key);
  // A short text behind a long one, and those around the longest that is written in place.
  for (const text of [
    'nonce å',
    ...[256, 3, 0, 257, 1_000].map((length) => 'x'.repeat(length)),
    'å'.repeat(128),
    'å'.repeat(129),
  ])
    expect(again(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
});

test('equal texts, other texts, other lengths', () => {
  const { equal } = digestCrypto();
  expect([equal('ab', 'ab'), equal('ab', 'ac'), equal('ab', 'abc'), equal('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
