import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Aedes } from 'aedes';
import { afterEach, expect, it, vi } from 'vitest';
import { openOwnerLink, securityOf } from '#cloud/io/broker/link/owner-link.ts';
import { openRequestLink } from '#cloud/io/broker/link/request-link.ts';
import { OWNER_KEEPALIVE_S } from '#shared/contract/feed/index.ts';
import { random } from '../stage.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of closing.splice(0).reverse()) await end();
});

const linkOf = (dial: Parameters<typeof openOwnerLink>[0]['dial'], onUp: (sh: string) => void) => {
  const link = openOwnerLink({
    ...{ sh: '05', dial, epoch: 1, cap: [], random, mayConnect: () => true },
    ...{ onMessage: () => undefined, onUp, onDown: () => undefined },
  });
  closing.push(() => link.close('lost'));
};

it('reads certificate, key and roots of an address once for all of its connections', () => {
  const url = 'mqtts://broker.test';
  const [one, other] = [0, 1].map(
    () => ({ kind: 'url', url, tls: { ca: rootCertificates[0] ?? '' } }) as const,
  );
  if (one === undefined || other === undefined) throw new Error('no address');
  expect(securityOf(one).secureContext).toBeDefined();
  expect(securityOf(one).secureContext).toBe(securityOf(one).secureContext);
  expect(securityOf(other).secureContext).not.toBe(securityOf(one).secureContext);
  expect(securityOf({ kind: 'url', url })).toEqual({});
  expect(() =>
    securityOf({ kind: 'url', url, tls: { ca: 'x', cert: 'no certificate', key: 'no key' } }),
  ).toThrow();
});

/** Seconds of the keepalive in a CONNECT packet: behind the name of the protocol, its level and the flags (MQTT 3.1.1, 3.1.2.10). */
async function keepaliveOf(connection: Duplex): Promise<number> {
  let packet = Buffer.alloc(0);
  for await (const part of connection.iterator({ destroyOnReturn: false })) {
    packet = Buffer.concat([packet, part as Buffer]);
    const at = packet.indexOf('MQTT') + 6;
    if (at >= 6 && packet.length >= at + 2) return packet.readUInt16BE(at);
  }
  throw new Error('the connection ended before its first packet');
}

it('asks a broker inside the process for no keepalive: there is no wire between them', async () => {
  const [own, broker] = duplexPair();
  linkOf({ kind: 'stream', open: () => own }, () => undefined);
  expect(await keepaliveOf(broker)).toBe(0);
});

it('asks another broker for one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  linkOf({ kind: 'url', url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` }, () => undefined);
  const [connection] = await connected;
  expect(await keepaliveOf(connection)).toBe(OWNER_KEEPALIVE_S);
});

it.each(['owner', 'request'] as const)('sends each packet of the link at once (%s)', async (kind) => {
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise<void>((resolve) => aedes.close(() => server.close(() => resolve()))));
  const { port } = server.address() as AddressInfo;
  const dial = { kind: 'url', url: `mqtt://127.0.0.1:${port}` } as const;
  const set = vi.spyOn(Socket.prototype, 'setNoDelay');
  closing.push(() => set.mockRestore());
  if (kind === 'owner') {
    const up = Promise.withResolvers<string>();
    linkOf(dial, up.resolve);
    await up.promise;
  } else {
    const link = openRequestLink({ clientId: 'cp-r-one', dial, onMessage: () => undefined });
    closing.push(() => link.close());
    await expect.poll(() => link.isUp()).toBe(true);
  }
  const sockets = set.mock.contexts as readonly Socket[];
  expect(sockets.map(({ remotePort }) => remotePort)).toEqual([port]);
  expect(set.mock.calls).toEqual([[true]]);
});
