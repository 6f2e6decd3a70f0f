import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packedAnswer } from '#cloud/http/middleware/packed-answer.ts';
import { createRouter } from '#cloud/http/routing/api.ts';

const LARGE = { hosts: Array.from({ length: 1_000 }, (_, n) => ({ hostId: `gw-${n}`, status: 'online' })) };
const router = createRouter();
router.use('/*', packedAnswer());
router.get('/large', (c) => c.json(LARGE, 200));
router.get('/small', (c) => c.json({ hosts: [] }, 200));
router.get('/refused', (c) => c.json(LARGE, 403));
router.post('/large', (c) => c.json(LARGE, 200));

const ask = (path: string, accepted?: string, method = 'GET') =>
  router.request(path, {
    method,
    ...(accepted !== undefined && { headers: { 'Accept-Encoding': accepted } }),
  });

describe('a large answer', () => {
  it.each(['gzip', 'br, gzip, deflate', 'gzip;q=0.5', 'deflate, GZIP'])(
    'is packed for %s',
    async (accepted) => {
      const answer = await ask('/large', accepted);
      expect(answer.headers.get('Content-Encoding')).toBe('gzip');
      expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.length).toBeLessThan(JSON.stringify(LARGE).length / 5);
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LARGE);
    },
  );

  it.each([undefined, 'identity', 'gzip;q=0', 'x-gzip'])('is as it is for %s', async (accepted) => {
    const answer = await ask('/large', accepted);
    expect(answer.headers.get('Content-Encoding')).toBeNull();
    expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
    expect(await answer.json()).toEqual(LARGE);
  });

  it.each([
    ['a small one', '/small', 'GET', 200],
    ['a refusal', '/refused', 'GET', 403],
    ['one of a write', '/large', 'POST', 200],
  ])('is not packed: %s', async (_, path, method, status) => {
    const answer = await ask(path, 'gzip', method);
    expect([answer.status, answer.headers.get('Content-Encoding')]).toEqual([status, null]);
    expect(await answer.json()).toMatchObject({ hosts: expect.any(Array) });
  });
});
