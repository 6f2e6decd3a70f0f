import { describe, expect, it } from 'vitest';
import { ulid, uuid } from '#shared/id.ts';

describe('uuid', () => {
  it('writes its bytes in order with version and variant of RFC 9562', () => {
    expect(uuid(Uint8Array.from({ length: 16 }, (_, i) => i * 17))).toBe(
      '00112233-4455-4677-8899-aabbccddeeff',
    );
    expect(uuid(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
    expect(uuid(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000');
  });
});

describe('ulid', () => {
  it('sorts by time and has 26 signs', () => {
    const random = new Uint8Array(10);
    expect(ulid(0, random)).toBe('0'.repeat(26));
    expect(ulid(1, random) < ulid(2 ** 40, random)).toBe(true);
  });
});
