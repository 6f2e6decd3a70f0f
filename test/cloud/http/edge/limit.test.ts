import { expect, it } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';

it('thousands of hosts that ask at once read the database a few at a time, and all are answered', async () => {
  let reads = 0;
  let most = 0;
  const read = async <T>(result: T): Promise<T> => {
    most = Math.max(most, ++reads);
    await new Promise((resolve) => setImmediate(resolve));
    reads--;
    return result;
  };
  const edge = createEdgeApp({
    sites: { admit: () => read({ place: { tenant: 't' }, lifecycle: 'active' }) },
    feed: {
      twin: () => read({ twin: { twinRev: 1 }, jws: 'twin' }),
      manifest: () => read({ etag: '"1"', jws: 'manifest' }),
      page: () => read(new Uint8Array(1)),
    },
    peerOf: () => ({ authorized: true, uid: 'host', serial: '1', address: '127.0.0.1' }),
    nowMs: () => 0,
    onDefect: (error: unknown) => {
      throw error;
    },
  } as unknown as EdgePort);
  const paths = ['twin', 'config/tenant?since=0', `blob/${'0'.repeat(64)}`];
  const asked = Array.from({ length: 2_000 }, (_, n) => edge.request(`/edge/v1/${paths[n % 3]}`));
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // The database gives ten connections to all work of the process.
  expect(most).toBeLessThanOrEqual(12);
  expect(most).toBeGreaterThan(1);
});
