import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { cloudFact } from '#installer/io/host/cloud-probe.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function behind(answer: (response: ServerResponse) => void): Promise<string> {
  const made = createServer((_, response) => answer(response));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

test('a control plane without TLS is reached, and its clock is compared with ours', async () => {
  const cloud = await behind((response) =>
    response.setHeader('date', 'Mon, 01 Jan 2001 00:00:00 GMT').end('{"success":true}'),
  );
  const { fact, offsetMs = 0 } = await cloudFact(cloud, undefined);
  expect(fact).toEqual({ kind: 'reached', certificateDays: undefined });
  expect(offsetMs).toBeGreaterThan(86_400_000);
});

test('the sign-in page of a guest network is another server', async () => {
  const cloud = await behind((response) => response.end('<html>Welcome</html>'));
  expect((await cloudFact(cloud, undefined)).fact).toMatchObject({ kind: 'portal' });
});

test('no server is there', async () => {
  expect((await cloudFact('http://127.0.0.1:9', undefined)).fact).toMatchObject({ kind: 'unreachable' });
});
