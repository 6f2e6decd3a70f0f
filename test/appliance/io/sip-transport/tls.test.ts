import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TlsCredentials } from '#appliance/io/sip-transport/index.ts';
import { afterwards, certificate, client, closeAll, loopback, sip, until } from './loopback.ts';

const tls = [{ host: '127.0.0.1', port: 0 }];
const OK = 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n';

type Made = Awaited<ReturnType<typeof certificate>>;

let good: Made;
let other: Made;

beforeAll(async () => {
  good = await certificate(['URI:sip:site.test', 'DNS:host.site.test', 'IP:127.0.0.1']);
  other = await certificate(['URI:sip:other.test', 'IP:127.0.0.1']);
});

afterEach(closeAll);

async function device(
  port: number,
  options: object = {},
): Promise<{ socket: TLSSocket; read: () => string }> {
  const socket = tlsConnect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  return { socket, read: () => text };
}

/** Port of a server that takes connections and never says anything. */
async function silent(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const commonNameOf = (socket: TLSSocket): string => socket.getPeerX509Certificate()?.subjectAltName ?? '';

describe('as server', () => {
  test('a message comes in and its answer goes out, TLS 1.2 and 1.3', async () => {
    const here = await loopback({ tls, tlsCredentials: () => good }, () => OK);
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const there = await device(here.port('TLS'), { minVersion: version, maxVersion: version });
      expect(there.socket.getProtocol()).toBe(version);
      there.socket.write(sip('MESSAGE', version));
      await until('the answer', () => there.read() === OK);
    }
    expect(here.messages.map((message) => message.flow.transport)).toEqual(['TLS', 'TLS']);
  });

  test('TLS 1.1 and plain text on the port are refused and reported', async () => {
    const here = await loopback({ tls, tlsCredentials: () => good });
    const weak = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(device(here.port('TLS'), weak)).rejects.toThrow();
    const plain = await client(here.port('TLS'));
    plain.socket.write(sip('OPTIONS'));
    await until('both reports', () => here.events.filter((event) => event.kind === 'tlsFailed').length === 2);
    expect(here.messages).toHaveLength(0);
  });

  test('a peer that does not finish the handshake is cut, and counted until then', async () => {
    const here = await loopback({
      tls,
      tlsCredentials: () => good,
      limits: { handshakeMs: 150, connectionsPerSource: 1 },
    });
    const silent = await client(here.port('TLS'));
    await client(here.port('TLS'));
    await until('the refusal', () => here.events.some((event) => event.kind === 'refused'));
    await once(silent.socket, 'close');
    expect(here.events.some((event) => event.kind === 'tlsFailed')).toBe(true);
    const next = await device(here.port('TLS'));
    expect(next.socket.authorized).toBe(false);
  });

  test('a reset in the middle of a handshake or of a message ends that connection and nothing else', async () => {
    const here = await loopback({ tls, tlsCredentials: () => good }, () => OK);
    const early = await client(here.port('TLS'));
    early.socket.write(Buffer.from('1603010200010001fc0303', 'hex'));
    early.socket.resetAndDestroy();
    const late = await device(here.port('TLS'));
    await new Promise((resolve) => late.socket.write(sip('MESSAGE').slice(0, 20), resolve));
    late.socket.destroy();
    await until(
      'both ends',
      () => here.closed.length === 1 && here.events.some((event) => event.kind === 'tlsFailed'),
    );
    const next = await device(here.port('TLS'));
    next.socket.write(sip('OPTIONS'));
    await until('the answer', () => next.read() === OK);
    expect(here.messages).toHaveLength(1);
  });

  test('a reload is for new connections, the running one stays', async () => {
    let credentials = good;
    const here = await loopback({ tls, tlsCredentials: () => credentials }, () => OK);
    const before = await device(here.port('TLS'));
    credentials = other;
    here.transport.reloadTls();
    const after = await device(here.port('TLS'));
    expect(commonNameOf(before.socket)).toContain('sip:site.test');
    expect(commonNameOf(after.socket)).toContain('sip:other.test');
    before.socket.write(sip('OPTIONS'));
    await until('the answer on the old one', () => before.read() === OK);
  });

  test('a reload with a key that does not fit keeps the old certificate and says so', async () => {
    let credentials = good;
    const here = await loopback({ tls, tlsCredentials: () => credentials });
    credentials = { ...good, key: other.key };
    here.transport.reloadTls();
    expect(here.events).toEqual([{ kind: 'tlsReload', failure: expect.stringMatching(/mismatch/i) }]);
    expect(commonNameOf((await device(here.port('TLS'))).socket)).toContain('sip:site.test');
  });

  test('a device that half-closes still gets its answer, then the end', async () => {
    const here = await loopback({ tls, tlsCredentials: () => good }, () => OK);
    const there = await device(here.port('TLS'), { allowHalfOpen: true });
    there.socket.end(sip('MESSAGE'));
    await until('the answer', () => there.read() === OK);
    await until('the end', () => here.closed.length === 1);
  });

  test('a device that half-closes still gets an answer that takes a moment, then the end', async () => {
    const here = await loopback({ tls, tcp: tls, tlsCredentials: () => good });
    const there = await device(here.port('TLS'), { allowHalfOpen: true });
    there.socket.end(sip('MESSAGE'));
    await until('the message', () => here.messages.length === 1);
    await afterwards(here, here.port('TCP'));
    expect(here.closed).toEqual([]);
    const flow = here.messages[0]?.flow;
    if (flow !== undefined) here.transport.send(flow, Buffer.from(OK));
    await until('the answer', () => there.read() === OK);
    await until('the end', () => here.closed.length === 1);
    expect(here.failed).toEqual([]);
  });

  test('a device that never closes its half is cut after the closing time', async () => {
    const here = await loopback({
      tls,
      tlsCredentials: () => good,
      limits: { idleMs: 50, closeMs: 50, sweepMs: 10 },
    });
    const there = await device(here.port('TLS'), { allowHalfOpen: true });
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('idle');
    there.socket.destroy();
  });
});

describe('as client', () => {
  const reach = async (server: TlsCredentials, options: object, ca: TlsCredentials = server) => {
    const there = await loopback({ tls, tlsCredentials: () => server }, () => OK);
    const here = await loopback({ tlsCredentials: () => ca });
    return { here, result: await here.transport.connect('TLS', '127.0.0.1', there.port('TLS'), options) };
  };

  test('the certificate names the SIP domain: connected, and it carries messages', async () => {
    const { here, result } = await reach(good, { domain: 'site.test' });
    if (!result.ok) throw new Error(result.error.reason);
    here.transport.send(result.value, Buffer.from(sip('MESSAGE')));
    await until('the answer', () => here.messages[0]?.text === OK);
  });

  test('a client that only connects needs authorities and no certificate of its own', async () => {
    const { ca } = good;
    expect((await reach(good, { domain: 'site.test' }, { ca })).result.ok).toBe(true);
  });

  test('an address is looked for among the IP names', async () => {
    expect((await reach(good, {})).result.ok).toBe(true);
  });

  test.each([
    ['a DNS name does not count beside a sip: URI', 'host.site.test'],
    ['a name below the domain', 'sub.site.test'],
    ['another domain', 'evil.test'],
  ])('%s: refused', async (_name, domain) => {
    expect((await reach(good, { domain })).result).toMatchObject({
      ok: false,
      error: { code: 'IdentityRefused' },
    });
  });

  test('a chain without a known authority is refused, unless the peer is trusted by other means', async () => {
    const { result } = await reach(good, { domain: 'site.test' }, other);
    expect(result).toMatchObject({ ok: false, error: { code: 'IdentityRefused' } });
    expect((await reach(good, { domain: 'evil.test', trust: true }, other)).result.ok).toBe(true);
  });

  test('a server that never answers the handshake: unreachable in time', async () => {
    const here = await loopback({ limits: { handshakeMs: 100 } });
    const result = await here.transport.connect('TLS', '127.0.0.1', await silent());
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'Unreachable', reason: expect.stringMatching(/no connection after 100 ms$/) },
    });
  });

  test('a connection that is wanted in less time is given up then', async () => {
    const here = await loopback({});
    const result = await here.transport.connect('TLS', '127.0.0.1', await silent(), { withinMs: 50 });
    expect(result).toMatchObject({ ok: false, error: { reason: expect.stringMatching(/after 50 ms$/) } });
  });

  test('credentials that do not fit together: said so, and used again when they are right', async () => {
    const there = await loopback({ tls, tlsCredentials: () => good });
    let credentials = { ...good, key: other.key };
    const here = await loopback({ tlsCredentials: () => credentials });
    const connect = () => here.transport.connect('TLS', '127.0.0.1', there.port('TLS'));
    expect(await connect()).toMatchObject({ ok: false, error: { code: 'NoCredentials' } });
    credentials = good;
    expect((await connect()).ok).toBe(true);
  });

  test('closing gives up what is being connected', async () => {
    const silent = await loopback({ tcp: tls });
    const here = await loopback({});
    const connecting = here.transport.connect('TLS', '127.0.0.1', silent.port('TCP'));
    await here.transport.close();
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'Unreachable' } });
  });
});

test('a TLS listener without a certificate does not start', async () => {
  await expect(loopback({ tls, tlsCredentials: () => ({ ca: good.ca }) })).rejects.toThrow(
    /no TLS certificate and key/,
  );
  await expect(loopback({ tls })).rejects.toThrow(
    /SIP over TLS cannot listen on 127.0.0.1 port 0: no TLS certificate/,
  );
});
