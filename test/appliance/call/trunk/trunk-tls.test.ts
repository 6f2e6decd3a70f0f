import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseMessage, responseTo } from '#appliance/sip/message/index.ts';
import { replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/** Trunks over TLS against real listeners: who is believed, who is shown what, and what happens after a loss. */

let site: Awaited<ReturnType<typeof realAppliance>>;
const carriers: Carrier[] = [];

beforeAll(async () => {
  site = await realAppliance();
});
afterEach(async () => {
  site.tenant.remove('trunk', 'tls');
  for (const carrier of carriers.splice(0)) await carrier.close();
});
afterAll(() => site.close());

interface Carrier {
  readonly port: number;
  /** First lines that it received. */
  readonly firstLines: string[];
  readonly sockets: TLSSocket[];
  readonly close: () => Promise<void>;
}

/** A carrier that answers everything with 200; `mutual`: it asks for a certificate. */
async function carrier(
  names: readonly string[],
  options: { mutual?: boolean; port?: number } = {},
): Promise<Carrier> {
  const ca = readFileSync(site.authority.file, 'utf8');
  const server: Server = createServer({
    ...(await site.authority.issue(names)),
    ca,
    requestCert: options.mutual === true,
    // The demo authority issues for servers only: what is shown is looked at, and not judged.
    rejectUnauthorized: false,
  });
  const received: string[] = [];
  const sockets: TLSSocket[] = [];
  server.on('secureConnection', (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      const parsed = parseMessage(bytes);
      if (!parsed.ok || parsed.value.kind !== 'request') return;
      received.push(bytes.toString('latin1').split('\r\n', 1)[0] ?? '');
      const source = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
      socket.write(responseTo(parsed.value, source, { status: 200, toTag: 'carrier' }));
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const made = {
    port: (server.address() as AddressInfo).port,
    firstLines: received,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  carriers.push(made);
  return made;
}

function supervise(port: number): void {
  const body = {
    id: 'tls',
    name: 'tls',
    transport: 'tls',
    optionsInterval: 5_000,
    hosts: [{ uri: `sip:127.0.0.1:${port}` }],
  };
  site.tenant.put('trunk', 'tls', replicatedTrunkSchema.parse(body));
}

const standing = () => site.runtime.trunks.hosts[0]?.standing;

describe('a host of a trunk over TLS', () => {
  test('is believed when its certificate speaks for it', async () => {
    const { port, firstLines: received } = await carrier(['127.0.0.1']);
    supervise(port);
    await expect.poll(standing).toBe('up');
    expect(received).toEqual([`OPTIONS sip:127.0.0.1:${port} SIP/2.0`]);
  });

  test('that speaks for another name is not sent a single byte of SIP', async () => {
    const { port, firstLines: received } = await carrier(['carrier.example']);
    supervise(port);
    const [target] = site.runtime.trunks.outbound('112', undefined);
    const hops = await target?.nextHops();
    const opened = hops?.ok === true ? await hops.value[0]?.open() : undefined;
    expect(opened).toMatchObject({ ok: false, error: { code: 'IdentityRefused' } });
    expect(received).toEqual([]);
    expect(standing()).not.toBe('up');
  });

  test('that asks for a certificate is shown ours', async () => {
    const { port, sockets } = await carrier(['127.0.0.1'], { mutual: true });
    supervise(port);
    await expect.poll(standing).toBe('up');
    expect(sockets[0]?.getPeerX509Certificate()?.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost');
  });

  test('is connected again by the next request after its connection was lost', async () => {
    const first = await carrier(['127.0.0.1']);
    supervise(first.port);
    await expect.poll(standing).toBe('up');
    await first.close();
    const second = await carrier(['127.0.0.1'], { port: first.port });
    const [target] = site.runtime.trunks.outbound('112', undefined);
    if (target === undefined) throw new Error('no target');
    // As a failed call does: look at the host at once.
    expect(site.runtime.trunks.report(target, { kind: 'unreachable' })).toBe(true);
    await expect.poll(() => second.firstLines.length).toBe(1);
    await expect.poll(standing).toBe('up');
  });
});
