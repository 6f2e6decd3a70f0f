import { expect, test } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';

test('hashes are those of the standards', () => {
  // FIPS 180-4 and RFC 1321 A.5: "abc".
  expect(digest.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(digest.md5('abc')).toBe('900150983cd24fb0d6963f7d28e17f72');
  expect(digest.sha256('ä')).not.toBe(digest.sha256('a'));
});

test('random bytes have the length asked for and are never given twice, over many pools', () => {
  const seen = new Set<string>();
  for (const length of [10, 16, 24, 32, 512, 513, 5000])
    for (let i = 0; i < 500; i++) {
      const bytes = digest.random(length);
      expect(bytes.byteLength).toBe(length);
      seen.add(Buffer.from(bytes).toString('hex'));
    }
  expect(seen.size).toBe(7 * 500);
});

test('bytes given stay what they were', () => {
  const first = digest.random(16);
  const copy = Uint8Array.from(first);
  for (let i = 0; i < 1000; i++) digest.random(16);
  expect(first).toEqual(copy);
});

test('the same password has another hash each time', async () => {
  const hashes = await Promise.all([digest.hashPassword('secret'), digest.hashPassword('secret')]);
  expect(hashes[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(hashes[0]).not.toBe(hashes[1]);
});
