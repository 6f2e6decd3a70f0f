import { beforeEach, describe, expect, it } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';

const PATHS = ['twin', 'config/tenant?since=0', `blob/${'0'.repeat(64)}`];
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

let reads: number;
let most: number;
let nowMs: number;
let admitted: string[];
let measured: string[];
let edge: ReturnType<typeof createEdgeApp>;
/** The end of an upload that goes on for as long as the test wants. */
let uploaded: () => void;

beforeEach(() => {
  reads = 0;
  most = 0;
  nowMs = 0;
  admitted = [];
  measured = [];
  const read = async <T>(result: T): Promise<T> => {
    most = Math.max(most, ++reads);
    await nextTurn();
    reads--;
    return result;
  };
  const upload = new Promise<void>((resolve) => {
    uploaded = resolve;
  });
  edge = createEdgeApp({
    sites: {
      admit: (uid: string) => {
        admitted.push(uid);
        return read({ place: { tenant: 't' }, lifecycle: 'active' });
      },
    },
    feed: {
      twin: () => read({ twin: { twinRev: 1 }, jws: 'twin' }),
      manifest: () => read({ etag: '"1"', jws: 'manifest' }),
      page: () => read(new Uint8Array(1)),
    },
    prompts: {
      hand: async () => {
        await upload;
        return { ok: true, value: undefined };
      },
    },
    peerOf: (env: { readonly uid: string } | undefined) => ({
      authorized: env?.uid !== 'stranger',
      uid: env?.uid ?? 'host',
      serial: '1',
      address: '127.0.0.1',
    }),
    nowMs: () => nowMs,
    onRequest: () => {
      const beganMs = nowMs;
      return (route: string, status: number) => measured.push(`${route} ${status} ${nowMs - beganMs}`);
    },
    onDefect: (error: unknown) => {
      throw error;
    },
  } as unknown as EdgePort);
});

const ask = (n: number, request: RequestInit = {}, uid = 'host') =>
  edge.request(`/edge/v1/${PATHS[n % 3]}`, request, { uid });
const statuses = async (answers: readonly (Response | Promise<Response>)[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

describe('thousands of hosts that ask at once', () => {
  it('read the database a few at a time; those for which there is no time are sent away at once', async () => {
    const asked = Array.from({ length: 2_000 }, (_, n) => ask(n));
    const first = await Promise.race(asked);
    expect(first.status).toBe(429);
    expect(first.headers.get('Retry-After')).toBe('5');
    // The host asks again on the same connection, 8 s later at most.
    expect(first.headers.get('Keep-Alive')).toBe('timeout=20');
    const answers = await statuses(asked);
    const counts = (status: number) => answers.filter((each) => each === status).length;
    expect([counts(200) + counts(429), counts(200) >= 112]).toEqual([2_000, true]);
    // The database gives ten connections to all work of the process.
    expect(most).toBeLessThanOrEqual(12);
    expect(most).toBeGreaterThan(1);
    expect(await statuses([ask(0)])).toEqual([200]);
  });

  it('are not read for when they have given up before their turn', async () => {
    const gaveUp = new AbortController();
    const { signal } = gaveUp;
    const served = Array.from({ length: 12 }, (_, n) => ask(n));
    const lost = Array.from({ length: 50 }, (_, n) => ask(n, { signal }, 'lost'));
    const behind = Array.from({ length: 50 }, (_, n) => ask(n));
    gaveUp.abort();
    expect(new Set(await statuses([...served, ...behind]))).toEqual(new Set([200]));
    expect(new Set(await statuses(lost))).toEqual(new Set([429]));
    expect(admitted).not.toContain('lost');
  });

  it('are answered newest first, and before all others where they have begun', async () => {
    await ask(0, {}, 'begun');
    const waited = Array.from({ length: 60 }, (_, n) => ask(n, {}, `old ${n}`));
    const begun = ask(1, {}, 'begun');
    const late = Array.from({ length: 200 }, (_, n) => ask(n, {}, `new ${n}`));
    expect((await begun).status).toBe(200);
    expect(admitted.slice(0, 14)).toEqual([
      'begun',
      ...Array.from({ length: 12 }, (_, n) => `old ${n}`),
      'begun',
    ]);
    expect((await late.at(-1))?.status).toBe(200);
    await statuses(late);
    expect(new Set(await statuses(waited.slice(12)))).toEqual(new Set([429]));
    // After a while it has no part of a configuration any more that is worth more than that of another host.
    nowMs = 10_000;
    admitted.length = 0;
    const others = Array.from({ length: 12 }, (_, n) => ask(n, {}, 'other'));
    const former = ask(1, {}, 'begun');
    const newest = ask(2, {}, 'newest');
    await Promise.all([...others, former, newest]);
    expect(admitted.slice(12)).toEqual(['newest', 'begun']);
  });

  it('leave room for others when they have given up', async () => {
    const gaveUp = new AbortController();
    const { signal } = gaveUp;
    const lost = Array.from({ length: 112 }, (_, n) => ask(n, { signal }, 'lost'));
    gaveUp.abort();
    expect(await statuses([ask(0)])).toEqual([200]);
    await Promise.all(lost);
  });

  it('hold up none whose upload takes long, and wait for no stranger', async () => {
    const path = `/edge/v1/upload/1?name=a.wav&sha256=${'0'.repeat(64)}`;
    const uploads = Array.from({ length: 100 }, () =>
      edge.request(path, { method: 'PUT', body: 'x' }, { uid: 'host' }),
    );
    const strangers = Array.from({ length: 1_000 }, (_, n) => ask(n, {}, 'stranger'));
    expect(new Set(await statuses([...strangers]))).toEqual(new Set([401]));
    expect(await statuses([ask(0), ask(1), ask(2)])).toEqual([200, 200, 200]);
    uploaded();
    expect(new Set(await statuses(uploads))).toEqual(new Set([200]));
  });

  it('are measured with their wait, by the pattern of their path and the status of their answer', async () => {
    const asked = Array.from({ length: 113 }, (_, n) => ask(n));
    nowMs = 2_000;
    await Promise.all(asked);
    await ask(0, {}, 'stranger');
    await edge.request('/edge/v1/none', {}, { uid: 'host' });
    const counts = new Map<string, number>();
    for (const each of measured) counts.set(each, (counts.get(each) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      '/edge/v1/twin 429 2000': 1,
      '/edge/v1/twin 200 2000': 37,
      '/edge/v1/config/:scope 200 2000': 38,
      '/edge/v1/blob/:sha256 200 2000': 37,
      '/edge/v1/twin 401 0': 1,
      '/* 404 0': 1,
    });
  });
});
