import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { forward, forwardedUrl } from '#installer/io/network/forward.ts';

let close = async (): Promise<void> => undefined;
afterEach(() => close());

/** An application on this machine, with what it was sent. */
async function application(answer: (response: ServerResponse) => void) {
  const got: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    got.push({ url: request.url, headers: request.headers, body });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), got };
}

const request = {
  path: '/newAlarmbridgeEvent?from=1',
  headers: {
    host: 'cloud.example',
    'content-length': '3',
    authorization: 'Bearer x',
    'Idempotency-Key': 'k1',
    'content-type': 'application/json',
  },
  // Byte for byte: the spaces are in the signed hash.
  body: '{ "name" :  "Åsa" }',
};

it('the application gets path, headers and body as the platform posted them', async () => {
  const { url, got } = await application((response) => {
    response.writeHead(503, { 'retry-after': '7', 'x-other': 'no', 'content-type': 'text/plain' });
    response.end('busy');
  });
  const answer = await forward(url, request, 5_000);
  expect(answer).toMatchObject({
    ok: true,
    value: { status: 503, body: 'busy', headers: { 'retry-after': '7', 'content-type': 'text/plain' } },
  });
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({ url: request.path, body: request.body });
  expect(got[0]?.headers).toMatchObject({
    authorization: 'Bearer x',
    'idempotency-key': 'k1',
    host: url.host,
  });
  expect(got[0]?.headers['content-length']).toBe(String(Buffer.byteLength(request.body)));
});

it('the sentence of a failure says what to mend', async () => {
  const { url } = await application(() => undefined);
  const late = await forward(url, request, 50);
  expect(late).toMatchObject({ ok: false, error: { code: 'late' } });
  await close();
  close = async () => undefined;
  const down = await forward(url, request, 5_000);
  expect(down).toMatchObject({ ok: false, error: { code: 'unreached' } });
  const reason = down.ok ? '' : down.error.reason;
  expect(reason).toContain('no program listens there');
  expect(reason).not.toMatch(/ECONN|fetch failed|TypeError/);
});

it('the path of the callback stands behind that of the application', () => {
  expect(forwardedUrl(new URL('http://localhost:3000/in/'), '/newCall')).toBe(
    'http://localhost:3000/in/newCall',
  );
  expect(forwardedUrl(new URL('http://localhost:3000'), '/alarm?x=1')).toBe(
    'http://localhost:3000/alarm?x=1',
  );
});
