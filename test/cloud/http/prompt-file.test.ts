import { createDecipheriv, createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, tenantByDomain } from '#cloud/store/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const hello = wavOf(sine(1_000, 1, 8_000), 8_000);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const vorbis = readFileSync(join(import.meta.dirname, '../../vectors/media/prompt-vorbis.ogg'));

describe('prompt files', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
  });
  afterAll(() => api.close());

  const get = (path: string, as: string | null = token, more: Readonly<Record<string, string>> = {}) =>
    api.app.request(path, {
      headers: { ...more, ...(as === null ? {} : { Authorization: `Bearer ${as}` }) },
    });
  const put = async (
    name: string,
    bytes: Uint8Array | ReadableStream<Uint8Array>,
    type = 'audio/wav',
    more = {},
  ) => {
    const response = await api.app.request(`/mediaservice/a.test/promptfile/${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': type, ...more },
      body: bytes,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const list = async (query = '') =>
    (await ask(api, 'GET', `/mediaservice/a.test/promptfile${query}`, { token })).body;
  const changes = async () => {
    const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    return await changesSince(api.database.store, 'tenant', tenant, 0, 1_000);
  };

  test('are uploaded, listed, read, replaced and deleted, under both bases', async () => {
    expect(await put('hello.wav', hello)).toEqual({
      status: 200,
      body: { success: true, revision: expect.any(Number) },
    });
    expect(await put('music.ogg', vorbis, 'application/octet-stream')).toMatchObject({ status: 200 });
    const uploaded = {
      origin: 'upload',
      durationMs: expect.any(Number),
      updatedAt: expect.any(Number),
    };
    expect(await list()).toEqual({
      success: true,
      next: null,
      files: [
        { name: 'hello.wav', size: hello.length, ...uploaded, durationMs: 1_000 },
        { name: 'music.ogg', size: vorbis.length, ...uploaded },
      ],
    });
    const read = await get('/a.test/promptfile/hello.wav');
    expect(read.headers.get('Content-Type')).toBe('audio/wav');
    expect(Buffer.from(await read.arrayBuffer()).equals(hello)).toBe(true);
    const longer = wavOf(sine(1_000, 2, 8_000), 8_000);
    expect(await put('hello.wav', longer)).toMatchObject({ status: 200 });
    const stored = readdirSync(join(api.folder, 'blob'), { recursive: true }).map(String);
    expect(stored.some((each) => each.endsWith(sha256(hello)))).toBe(false);
    expect(stored.some((each) => each.endsWith(sha256(longer)))).toBe(true);
    const removed = await ask(api, 'DELETE', '/a.test/promptfile/hello.wav', { token });
    expect(removed).toMatchObject({ status: 200, body: { success: true } });
    expect((await get('/mediaservice/a.test/promptfile/hello.wav')).status).toBe(404);
    expect(await changes()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ entity: 'promptfile', id: 'hello.wav', op: 'delete' }),
        expect.objectContaining({
          entity: 'promptfile',
          id: 'music.ogg',
          op: 'put',
          body: { name: 'music.ogg', sha256: sha256(vorbis), size: vorbis.length, format: 'ogg' },
        }),
      ]),
    );
    expect(api.defects).toEqual([]);
  });

  test('are read in parts, of the file whose ETag is named alone', async () => {
    await put('part.wav', hello);
    const path = '/a.test/promptfile/part.wav';
    const part = await get(path, token, { Range: 'bytes=100-299', 'If-Range': `"${sha256(hello)}"` });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-299/${hello.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(hello.subarray(100, 300))).toBe(true);
    const { url } = (await ask(api, 'GET', `${path}/url`, { token })).body;
    const signed = new URL(String(url));
    const last = await get(`${signed.pathname}${signed.search}`, null, { Range: 'bytes=-4' });
    expect(Buffer.from(await last.arrayBuffer()).equals(hello.subarray(-4))).toBe(true);
    const whole = await get(path, token, { Range: 'bytes=100-299', 'If-Range': '"another"' });
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect((await whole.arrayBuffer()).byteLength).toBe(hello.length);
    expect((await get(path, token, { Range: `bytes=${hello.length}-` })).status).toBe(416);
    await ask(api, 'DELETE', path, { token });
  });

  test('are listed in pages', async () => {
    for (let i = 0; i < 101; i++)
      expect((await put(`page-${String(i).padStart(3, '0')}.wav`, hello)).status).toBe(200);
    const first = await list();
    expect(first.files).toHaveLength(100);
    const second = await list(`?next=${encodeURIComponent(String(first.next))}`);
    expect(second.next).toBe(null);
    expect((first.files as unknown[]).length + (second.files as unknown[]).length).toBe(102);
    expect((await ask(api, 'GET', '/a.test/promptfile?next=nonsense', { token })).status).toBe(400);
  });

  test('that are no sound are refused with what is wrong', async () => {
    const three = Buffer.concat([wavOf(new Int16Array(0), 8_000)]);
    // Three hours of A-law, of which only the head is there, as a sparse file would be sent.
    const hours = Buffer.alloc(44 + 58);
    three.copy(hours);
    const refused = [
      [await put('four.wav', Buffer.from('RIFF')), 400, /4 bytes that are no sound; WAV/],
      [
        await put('text.mp3', Buffer.from('this is a text, and no sound at all'), 'audio/mpeg'),
        400,
        /no sound/,
      ],
      [await put('empty.wav', Buffer.alloc(0)), 400, /no sound/],
      [await put('silent.wav', three), 400, /no audio|no sound/],
      [await put('page.html', hello, 'text/html'), 415, /audio\/wav/],
      [await put('../../etc/passwd', hello), 400, /must be letters/],
      [await put('.hidden.wav', hello), 400, /must be letters/],
    ] as const;
    for (const [answer, status, reason] of refused) {
      expect(answer).toMatchObject({
        status,
        body: { success: false, reason: expect.stringMatching(reason) },
      });
    }
    expect(readdirSync(join(api.folder, 'blob', 'coming'))).toEqual([]);
  });

  test('that are too long are refused, by time and by bytes, while they come', async () => {
    const threeHours = wavOf(new Int16Array(3 * 3_600 * 2_000), 2_000);
    expect(await put('long.wav', threeHours)).toMatchObject({
      status: 400,
      body: { reason: expect.stringMatching(/3\.0 h long and a prompt has at most 2 h/) },
    });
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1_048_576;
        controller.enqueue(new Uint8Array(1_048_576));
      },
    });
    const answer = await put('endless.wav', endless, 'audio/wav', { 'Transfer-Encoding': 'chunked' });
    expect(answer).toMatchObject({ status: 413, body: { reason: expect.stringMatching(/50 MiB/) } });
    expect(sent).toBeLessThan(60 * 1_048_576);
  });

  test('have a URL that opens them without a token for 15 minutes, and nothing else', async () => {
    await put('signed.wav', hello);
    const answer = await ask(api, 'GET', '/mediaservice/a.test/promptfile/signed.wav/url', { token });
    expect(answer.body).toMatchObject({ success: true, 'Content-Type': 'audio/wav' });
    const url = new URL(String(answer.body.url));
    const path = url.pathname + url.search;
    expect(Buffer.from(await (await get(path, null)).arrayBuffer()).equals(hello)).toBe(true);
    expect((await get(path.replace('signed.wav', 'music.ogg'), null)).status).toBe(403);
    expect((await get(path.replace('a.test', 'b.test'), null)).status).toBe(403);
    api.clock.now += 15 * 60_000 + 1_000;
    expect((await get(path, null)).status).toBe(403);
    const missing = await ask(api, 'GET', '/a.test/promptfile/missing.wav/url', { token });
    expect(missing).toMatchObject({ status: 404, body: { success: false, error: { code: 'notFound' } } });
  });

  test('move to a bucket of the local store, encrypted under a named key', async () => {
    await put('old.wav', hello);
    const body = {
      type: 'objectstore',
      bucketRegion: 'local',
      bucketName: 'archive',
      kmsKey: 'k1',
      objectKey: '2030/old.wav',
    };
    const moved = await ask(api, 'POST', '/mediaservice/a.test/promptfile/old.wav/move', { token, body });
    expect(moved).toMatchObject({ status: 200, body: { success: true } });
    expect((await get('/a.test/promptfile/old.wav')).status).toBe(404);
    const sealed = readFileSync(join(api.folder, 'object/a.test/archive/2030/old.wav'));
    const key = readFileSync(join(api.folder, 'key', `${Buffer.from('k1').toString('base64url')}.key`));
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(8, 20));
    decipher.setAuthTag(sealed.subarray(-16));
    expect(Buffer.concat([decipher.update(sealed.subarray(20, -16)), decipher.final()]).equals(hello)).toBe(
      true,
    );
    await put('old.wav', hello);
    const again = await ask(api, 'PUT', '/a.test/promptfile/old.wav/move', { token, body });
    expect(again).toMatchObject({ status: 409 });
    expect((await get('/a.test/promptfile/old.wav')).status).toBe(200);
  });

  test('come from a site as recordings: listed, not sent to other sites, the same again is the same', async () => {
    const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    const recording = { tenant, host: 'uid-1', name: 'calls/today.wav', sha256: sha256(hello), at: 1 };
    const bytes = () => new Response(new Uint8Array(hello)).body;
    expect(await api.prompts.hand(recording, bytes())).toMatchObject({ ok: true });
    expect(await api.prompts.hand(recording, null)).toMatchObject({ ok: true });
    expect(
      await api.prompts.hand({ ...recording, name: 'other.wav', sha256: 'a'.repeat(64) }, bytes()),
    ).toMatchObject({
      ok: false,
    });
    expect((await changes()).some(({ id }) => id === 'calls/today.wav')).toBe(false);
    expect((await get('/a.test/promptfile/calls%2Ftoday.wav')).status).toBe(200);
    expect(await api.prompts.bytesFor(tenant, sha256(hello))).toBeDefined();
    expect(await api.prompts.bytesFor('another', sha256(hello))).toBeUndefined();
  });
});
