import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPeerClient, openPeerServer, type PeerServer } from '#appliance/io/peer/index.ts';
import { memberBehind } from '#appliance/io/peer/pin.ts';
import type { Member } from '#appliance/site/peer/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { freePorts } from '#test/support/site-port.ts';

const UID = {
  a: '01jc7z5t3k9q8w6m4n2p0r1s5a',
  b: '01jc7z5t3k9q8w6m4n2p0r1s5b',
  c: '01jc7z5t3k9q8w6m4n2p0r1s5c',
};

let folder: string;
let server: PeerServer;
let members: Member[];
let pair: Record<'a' | 'b' | 'c', { cert: string; key: string }>;
const closing: (() => unknown)[] = [];

const member = (name: 'a' | 'b' | 'c', port = 0): Member => ({
  uid: UID[name],
  hostId: name,
  publicKey: new X509Certificate(pair[name].cert).publicKey
    .export({ type: 'spki', format: 'pem' })
    .toString(),
  order: 0,
  address: `127.0.0.1:${port}`,
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peer-'));
  const authority = await demoAuthority(folder);
  // The names in the certificates are no host's address here.
  pair = {
    a: await authority.issue(['a.invalid']),
    b: await authority.issue(['b.invalid']),
    c: await authority.issue(['c.invalid']),
  };
  members = [member('b')];
  server = await openPeerServer({
    host: '127.0.0.1',
    port: 0,
    ...pair.a,
    members: () => members,
    answer: async (path, from, body) => {
      if (path === 'copy') throw new Error('the disk is gone');
      if (path === 'slow') return await new Promise(() => undefined);
      return path === 'hello' ? { from, body } : undefined;
    },
  });
  closing.push(() => server.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

function clientOf(name: 'b' | 'c') {
  const client = createPeerClient(pair[name]);
  closing.push(() => client.close());
  return client;
}

it('members speak with each other, by the key that the configuration pins', async () => {
  const client = clientOf('b');
  const to = member('a', server.port);
  expect(await client.call(to, 'hello', { n: 1 }, 2_000)).toEqual({ from: UID.b, body: { n: 1 } });
  expect(await client.call(to, 'state', {}, 2_000)).toBeUndefined();
  expect(await client.call(to, 'copy', {}, 2_000)).toBeUndefined();
  expect(await client.call(to, 'slow', {}, 50)).toBeUndefined();
});

it('a machine of the same authority that is no member gets no word, and none is said to a server with another key', async () => {
  expect(await clientOf('c').call(member('a', server.port), 'hello', {}, 2_000)).toBeUndefined();
  expect(await clientOf('b').call({ ...member('c', server.port) }, 'hello', {}, 2_000)).toBeUndefined();
  // Until the configuration names it.
  members = [member('b'), member('c')];
  expect(await clientOf('c').call(member('a', server.port), 'hello', 1, 2_000)).toEqual({
    from: UID.c,
    body: 1,
  });
});

it('speaks IPv6 where the address of the other one is of it, beside a listener of IPv4 on the same port', async () => {
  const { port } = server;
  const six = await openPeerServer({
    ...{ host: '::', port, ownFamily: true },
    ...pair.a,
    members: () => members,
    answer: async () => ({ family: 6 }),
  });
  closing.push(() => six.close());
  const to = { ...member('a'), address: `[::1]:${port}` };
  expect(await clientOf('b').call(to, 'hello', 1, 2_000)).toEqual({ family: 6 });
  expect(await clientOf('b').call(member('a', port), 'hello', 1, 2_000)).toMatchObject({ from: UID.b });
});

it('a host that is not reached at one address is asked at the next, and stays there', async () => {
  const client = clientOf('b');
  const [free = 0] = await freePorts('::1', 1);
  const to = { ...member('a'), address: `[::1]:${free}`, more: [`127.0.0.1:${server.port}`] };
  expect(await client.call(to, 'hello', 1, 2_000)).toBeUndefined();
  expect(await client.call(to, 'hello', 2, 2_000)).toMatchObject({ body: 2 });
  expect(await client.call(to, 'hello', 3, 2_000)).toMatchObject({ body: 3 });
  // Round again, when it is lost there.
  await server.close();
  const there = await openPeerServer({
    ...{ host: '::1', port: free },
    ...pair.a,
    members: () => members,
    answer: async () => ({ again: true }),
  });
  closing.push(() => there.close());
  const said: unknown[] = [];
  for (let turn = 0; turn < 3 && said.at(-1) === undefined; turn++)
    said.push(await client.call(to, 'hello', 4, 2_000));
  expect(said.at(-1)).toEqual({ again: true });
});

it('a lost connection is made again', async () => {
  const client = clientOf('b');
  const to = member('a', server.port);
  expect(await client.call(to, 'hello', 1, 2_000)).toBeDefined();
  await server.close();
  expect(await client.call(to, 'hello', 2, 500)).toBeUndefined();
  const again = await openPeerServer({
    host: '127.0.0.1',
    port: server.port,
    ...pair.a,
    members: () => members,
    answer: async () => ({ again: true }),
  });
  closing.push(() => again.close());
  expect(await client.call(to, 'hello', 3, 2_000)).toEqual({ again: true });
});

it('a connection that is given up as it comes up harms no other', async () => {
  const given: Promise<unknown>[] = [];
  for (let turns = 0; turns < 60; turns++) {
    const client = createPeerClient(pair.b);
    given.push(client.call(member('a', server.port), 'hello', {}, 1_000));
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    client.close();
  }
  expect((await Promise.all(given)).filter((said) => said !== undefined).length).toBeLessThan(60);
  expect(memberBehind(undefined, members)).toBeUndefined();
  // As the socket of a session that has ended.
  const unbound = new Proxy({} as TLSSocket, {
    get: () => {
      throw new Error('ERR_HTTP2_SOCKET_UNBOUND');
    },
  });
  expect(memberBehind(unbound, members)).toBeUndefined();
});
