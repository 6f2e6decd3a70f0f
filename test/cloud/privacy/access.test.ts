import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantByDomain } from '#cloud/store/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { ask, makeTenant, openApi, type TestApi } from '../http/api.ts';

const wav = wavOf(sine(1_000, 1, 8_000), 8_000);
let api: TestApi;
let token: string;

beforeEach(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
  const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  const sha256 = createHash('sha256').update(wav).digest('hex');
  const talk = { tenant, host: 'u1', name: 'talk.wav', sha256, at: api.clock.now };
  expect(await api.prompts.hand(talk, new Response(wav).body)).toMatchObject({ ok: true });
  await api.app.request('/a.test/promptfile/hello.wav', {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'audio/wav' },
    body: wav,
  });
});
afterEach(() => api.close());

/** Entries of the audit log about reading, newest last. */
async function reads(): Promise<unknown[]> {
  const { body } = await ask(api, 'GET', '/provisioning/audit/a.test?limit=100', { token });
  const entries = body.entries as { action: string; entityId: string; actor: string }[];
  return entries.filter(({ action }) => action.startsWith('read')).map((e) => [e.action, e.entityId]);
}

const get = (path: string, headers = { Authorization: `Bearer ${token}` }) =>
  api.app.request(path, { headers });

describe('playback of a recording', () => {
  test('stands in the audit log, and reading a prompt does not', async () => {
    expect((await get('/a.test/promptfile/hello.wav')).status).toBe(200);
    expect((await get('/a.test/promptfile')).status).toBe(200);
    expect(await reads()).toEqual([]);
    const received = await get('/a.test/promptfile/talk.wav');
    expect(new Uint8Array(await received.arrayBuffer())).toEqual(new Uint8Array(wav));
    expect(await reads()).toEqual([['read', 'talk.wav']]);
  });

  test('also who takes a signed address, and whoever uses it', async () => {
    const { body } = await ask(api, 'GET', '/a.test/promptfile/talk.wav/url', { token });
    const url = new URL(String(body.url));
    const opened = await api.app.request(`${url.pathname}${url.search}`);
    expect(opened.status).toBe(200);
    await opened.arrayBuffer();
    expect(await reads()).toEqual([
      ['read url', 'talk.wav'],
      ['read', 'talk.wav'],
    ]);
    const { body: log } = await ask(api, 'GET', '/provisioning/audit/a.test?limit=1&order=newest', { token });
    expect(log.entries).toMatchObject([{ actor: 'signed url' }]);
  });

  test('and not whoever is refused', async () => {
    const other = await makeTenant(api, 'b.test');
    expect((await get('/a.test/promptfile/talk.wav', { Authorization: `Bearer ${other}` })).status).toBe(403);
    expect((await get('/a.test/promptfile/none.wav')).status).toBe(404);
    expect(await reads()).toEqual([]);
  });
});
