import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';
import { tenantByDomain } from '#cloud/store/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { makeTenant, openApi, type TestApi } from './api.ts';

const hello = wavOf(sine(1_000, 1, 8_000), 8_000);
const sha256 = createHash('sha256').update(hello).digest('hex');

describe('files at the edge listener', () => {
  let api: TestApi;
  let token: string;
  let edge: ReturnType<typeof createEdgeApp>;
  let tenantOfHost: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    const idOf = async (domain: string) => (await tenantByDomain(api.database.store, domain))?.id ?? '';
    const [a, b] = [await idOf('a.test'), await idOf('b.test')];
    tenantOfHost = a;
    const place = () => ({ sh: 1, tenant: tenantOfHost, siteId: 'north', uid: 'uid-1' });
    edge = createEdgeApp({
      sites: { admit: async () => ({ place: place(), publicKey: '', lifecycle: 'online' }) },
      feed: { page: async () => undefined },
      prompts: api.prompts,
      peerOf: () => ({ authorized: true, uid: 'uid-1', serial: '1', address: '127.0.0.1' }),
      nowMs: () => api.clock.now,
      onDefect: (error: unknown) => api.defects.push(error),
    } as unknown as EdgePort);
    expect(b).not.toBe('');
  });
  afterAll(() => api.close());

  const upload = (name: string, bytes: Uint8Array, hash = sha256) =>
    edge.request(`/edge/v1/upload/r-1?name=${encodeURIComponent(name)}&sha256=${hash}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    });

  test('bytes of a prompt file go to hosts of its tenant and to no other', async () => {
    const put = await api.app.request('/mediaservice/a.test/promptfile/hello.wav', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'audio/wav' },
      body: new Uint8Array(hello),
    });
    expect(put.status).toBe(200);
    const got = await edge.request(`/edge/v1/blob/${sha256}`);
    expect([got.status, Buffer.from(await got.arrayBuffer()).equals(hello)]).toEqual([200, true]);
    const mine = tenantOfHost;
    tenantOfHost = 'another';
    expect((await edge.request(`/edge/v1/blob/${sha256}`)).status).toBe(404);
    tenantOfHost = mine;
  });

  test('the row of a file goes to hosts of its tenant as soon as the file is there; a recording has none', async () => {
    const ask = async (name: string) => {
      const answer = await edge.request(`/edge/v1/promptfile?name=${encodeURIComponent(name)}`);
      return [answer.status, await answer.json()];
    };
    expect(await ask('hello.wav')).toEqual([
      200,
      { name: 'hello.wav', sha256, size: hello.length, format: 'wav' },
    ]);
    expect((await upload('said.wav', hello)).status).toBe(200);
    for (const name of ['said.wav', 'none.wav', '../hello.wav', '']) expect((await ask(name))[0]).toBe(404);
    const mine = tenantOfHost;
    tenantOfHost = 'another';
    expect((await ask('hello.wav'))[0]).toBe(404);
    tenantOfHost = mine;
  });

  test('a recording goes to a host of its tenant that has not made it, and the audit log names the host', async () => {
    const want = async (name: string, more = '') =>
      await edge.request(`/edge/v1/recording?name=${encodeURIComponent(name)}${more}`);
    expect((await upload('spoken.wav', hello)).status).toBe(200);
    const looked = await want('spoken.wav', '&look=true');
    expect([looked.status, await looked.json()]).toEqual([200, { success: true, size: hello.length }]);
    const reads = async () => {
      const answer = await api.app.request('/provisioning/audit/a.test', {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { entries } = (await answer.json()) as {
        entries: { actor: string; action: string; entityId: string }[];
      };
      return entries.filter(({ action, entityId }) => action === 'read' && entityId === 'spoken.wav');
    };
    expect(await reads()).toEqual([]);
    const got = await want('spoken.wav');
    expect(got.headers.get('content-length')).toBe(String(hello.length));
    expect(Buffer.from(await got.arrayBuffer()).equals(hello)).toBe(true);
    expect(await reads()).toMatchObject([{ actor: 'host:uid-1' }]);
    // Uploaded prompt files have a way of their own, with a hash.
    for (const name of ['hello.wav', 'none.wav', '../spoken.wav', ''])
      expect((await want(name)).status).toBe(404);
    const mine = tenantOfHost;
    tenantOfHost = 'another';
    expect((await want('spoken.wav')).status).toBe(404);
    tenantOfHost = mine;
  });

  test('a recording takes the place of a recording when it is to, never of a prompt file', async () => {
    const other = wavOf(sine(700, 1, 8_000), 8_000);
    const otherHash = createHash('sha256').update(other).digest('hex');
    const replace = async (name: string) => {
      const url = `/edge/v1/upload/r-2?name=${name}&sha256=${otherHash}&replace=true`;
      return (await edge.request(url, { method: 'PUT', body: new Uint8Array(other) })).status;
    };
    expect((await upload('again.wav', hello)).status).toBe(200);
    expect(await replace('again.wav')).toBe(200);
    const read = await api.app.request('/a.test/promptfile/again.wav', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(other)).toBe(true);
    expect(await replace('hello.wav')).toBe(409);
  });

  test('a recording comes once, is a prompt file of its tenant, and never takes the place of another', async () => {
    expect((await upload('call.wav', hello)).status).toBe(200);
    expect((await upload('call.wav', hello)).status).toBe(200);
    const read = await api.app.request('/a.test/promptfile/call.wav', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(hello)).toBe(true);
    const other = wavOf(sine(500, 1, 8_000), 8_000);
    const otherHash = createHash('sha256').update(other).digest('hex');
    expect((await upload('call.wav', other, otherHash)).status).toBe(409);
    expect((await upload('false.wav', other)).status).toBe(400);
    expect((await upload('../escape.wav', hello)).status).toBe(400);
    expect(api.defects).toEqual([]);
  });
});
