import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packed } from '#cloud/compose/packed.ts';

describe('a text packed for hosts', () => {
  it.each([
    ['short', 'a page of one device'],
    ['long', Array.from({ length: 5_000 }, (_, n) => `device ${n}\n`).join('')],
  ])('%s: is whole, and keeps no more memory than its bytes', async (_, text) => {
    const bytes = await packed(text);
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});
