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
  expect(one.hmac('x')).toHaveLength(32);
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
