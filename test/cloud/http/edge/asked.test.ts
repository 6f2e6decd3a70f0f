import { describe, expect, it } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';

const row = { uid: 'one', tenant: 't' };
const asked: unknown[] = [];
const answered =
  <T>(result: T) =>
  async (of: unknown): Promise<T> => {
    asked.push(of);
    return result;
  };
const edge = createEdgeApp({
  sites: {
    admit: async () => ({ place: { tenant: 't' }, lifecycle: 'active', row }),
    fetchesFor: async (_: string, other: string) => other,
  },
  feed: {
    twin: answered({ twin: { twinRev: 1 }, jws: 'twin' }),
    manifest: answered({ etag: '"1"', jws: 'manifest' }),
    page: answered(new Uint8Array(1)),
  },
  peerOf: () => ({ authorized: true, uid: 'one', serial: '1', address: '127.0.0.1' }),
  nowMs: () => 0,
  onDefect: (error: unknown) => {
    throw error;
  },
} as unknown as EdgePort);

describe('a request of a host', () => {
  it.each(['twin', 'config/host?since=0', `blob/${'0'.repeat(64)}`])(
    '%s: is answered from the row by which it was admitted, and for another host of the site from its uid',
    async (path) => {
      asked.length = 0;
      const other = `${path}${path.includes('?') ? '&' : '?'}host=two`;
      for (const each of [path, other]) expect((await edge.request(`/edge/v1/${each}`)).status).toBe(200);
      expect(asked).toEqual([row, 'two']);
    },
  );
});
