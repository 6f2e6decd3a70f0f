import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, openEdgeListener } from '#cloud/io/listener/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const HOST = '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'carillon-idle-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
let listener: Listener;
/** The server's side of the connection of the newest request. */
let side: Socket;

beforeAll(async () => {
  const authority = await openFolderAuthority(folder, Date.now());
  listener = await openEdgeListener(
    { host: HOST, port: 0 },
    await authority.issueServer([HOST], Date.now()),
    20,
  );
  listener.serve((request, env) => {
    side = (env as { incoming: { socket: Socket } }).incoming.socket;
    const status = Number(new URL(request.url).pathname.slice(1));
    return new Response('', { status, headers: status === 429 ? { 'Keep-Alive': 'timeout=20' } : {} });
  });
});
afterAll(async () => {
  agent.destroy();
  await listener.close();
  rmSync(folder, { recursive: true });
});

/** The status, and for how long the connection is said to be kept. */
const ask = (status: number) =>
  new Promise<string>((resolve, reject) => {
    get({ agent, host: HOST, port: listener.port, path: `/${status}` }, (answer) => {
      answer.resume().on('end', () => resolve(`${answer.statusCode} ${answer.headers['keep-alive']}`));
    }).on('error', reject);
  });
/** Time after which the server ends the connection that waits, ms; it adds a second to what it says to the host. */
const idleMs = () => expect.poll(() => side.timeout);

describe('a connection of a host that waits for its next request', () => {
  it('is kept for seconds, and longer for a host that was sent away', async () => {
    expect(await ask(200)).toBe('200 timeout=5');
    await idleMs().toBe(6_000);
    const first = side;
    expect(await ask(429)).toBe('429 timeout=20');
    await idleMs().toBe(20_000);
    expect(await ask(200)).toBe('200 timeout=5');
    await idleMs().toBe(6_000);
    expect(side).toBe(first);
  });
});
