import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAfter, tenantByDomain } from '#cloud/store/index.ts';
import { BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';

describe('served over a socket', () => {
  let api: TestApi;
  let token: string;
  let server: ServerType;
  let port: number;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    server = serve({ fetch: api.app.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.close();
    await api.close();
  });

  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
    });

  /** The answer to bytes as they are. */
  async function raw(text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    // Every text asks for Connection: close, so the other side ends it.
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  test('the audit log knows the address', async () => {
    const answer = await send('PUT', '/provisioning/device/a.test', { body: JSON.stringify(DEVICE) });
    expect(answer.status).toBe(200);
    const { store } = api.database;
    const rows = await auditAfter(store, (await tenantByDomain(store, 'a.test'))?.id ?? '', 0, 100);
    expect(rows.at(-1)).toMatchObject({ entity: 'device', address: '127.0.0.1' });
  });

  test('a body without a length is cut off at the limit', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(chunk);
        sent += 1;
        if (sent === 64) controller.close();
      },
    });
    const answer = await send('POST', '/provisioning/alarmbridge/a.test', {
      body,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ success: false, error: { code: 'tooLarge' } });
  });

  test('OPTIONS, HEAD and 405 are what they are in process', async () => {
    const options = await send('OPTIONS', '/provisioning/device/a.test');
    expect([options.status, await options.json()]).toEqual([200, {}]);
    const head = await send('HEAD', '/provisioning/device/a.test');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(
      (await send('POST', '/provisioning/device/a.test', { body: '{}' })).headers.get('Allow'),
    ).toContain('PUT');
  });

  test('strange paths get the error body', async () => {
    for (const path of [
      '/provisioning/device/a.test/%E0%A4%A',
      '/provisioning/device/a.test/%00',
      '//',
      '/provisioning//device',
    ])
      expect(
        await raw(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
        ),
      ).toMatch(/^HTTP\/1\.1 40[04] [\s\S]*"success":false/);
  });

  test('writers at once are all served, each with a revision of its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        send('POST', '/provisioning/alarmbridge/a.test', {
          body: JSON.stringify({ ...BRIDGE, name: `n${i}` }),
        }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    expect(new Set(ids).size).toBe(40);
    expect(api.defects).toEqual([]);
  });
});
