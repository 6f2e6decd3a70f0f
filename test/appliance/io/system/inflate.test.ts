import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflate, inflate } from '#appliance/io/system/index.ts';

const body = Buffer.from(`<mrq>${'a'.repeat(2_000)}</mrq>`);

describe('a deflated body', () => {
  it('is read with the two bytes of zlib and without, and what we deflate is', () => {
    for (const packed of [deflateSync(body), deflateRawSync(body), deflate(body)])
      expect(Buffer.from(inflate(packed, 65_536) ?? '')).toEqual(body);
    expect(deflate(body).length).toBeLessThan(100);
  });

  it('is nothing when it is damaged, or larger than allowed', () => {
    expect(inflate(body, 65_536)).toBeUndefined();
    expect(inflate(deflateSync(body), 1_000)).toBeUndefined();
    expect(inflate(deflateRawSync(body), 1_000)).toBeUndefined();
    expect(inflate(new Uint8Array(), 1_000)).toBeUndefined();
  });
});
