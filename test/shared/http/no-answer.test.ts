import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { noAnswerReason } from '#shared/http/index.ts';

const refusal = (url: string): Promise<string> => fetch(url).then(() => 'answered', noAnswerReason);

async function listening(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

it('a port without a program is named in words', async () => {
  const server = await listening();
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  expect(await refusal(`http://127.0.0.1:${port}/`)).toMatch(/^no program listens there/);
});

it('an unknown name is named in words', async () => {
  expect(await refusal('http://no-such-name.invalid/')).toMatch(
    /^(?:its name is unknown|DNS did not answer)/,
  );
});

it('a server without TLS is named where https was asked for', async () => {
  const server = await listening();
  expect(await refusal(`https://127.0.0.1:${portOf(server)}/`)).toMatch(/speaks no TLS|was closed/);
  server.close();
});

it('an error of another kind keeps its own words', () => {
  const cause = new Error('a new reason');
  expect(noAnswerReason(new TypeError('fetch failed', { cause }))).toBe('a new reason');
  expect(noAnswerReason('nothing')).toBe('nothing');
  const loop: { cause?: unknown; message: string } = { message: 'a loop' };
  loop.cause = loop;
  expect(noAnswerReason(loop)).toBe('a loop');
});
