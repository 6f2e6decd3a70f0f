import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SipNetwork } from '#appliance/io/sip-transport/index.ts';
import { SecureListeners } from '#appliance/io/site-listener/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { freePorts } from '#test/support/site-port.ts';

const sinkless = { message: () => undefined, closed: () => undefined, failed: () => undefined };

test('a listener that cannot have one of its addresses says which setting names it, and opens there later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-door-'));
  const { cert, key } = await (await demoAuthority(folder)).issue(['127.0.0.1']);
  const identity = { certificatePem: cert, keyPem: key, caPem: cert } as HostIdentity;
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const holder = createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  const http = [
    { host: '::', port },
    { host: '127.0.0.1', port },
  ];
  const network = new SipNetwork(sinkless, { monoMs: () => performance.now() });
  const setting = { http, sipTls: [], tlsFiles: undefined, trustPem: undefined };
  const secureListeners = new SecureListeners(setting, network, () => new Response());
  try {
    await expect(secureListeners.open(identity)).rejects.toThrow(
      new RegExp(
        `HTTPS cannot listen on 127.0.0.1 port ${port}: .*another address in CARILLON_APPLIANCE_HTTP`,
      ),
    );
    expect(secureListeners.bound).toEqual([{ host: '::', port }]);
    holder.close();
    await once(holder, 'close');
    await secureListeners.open(identity);
    expect(secureListeners.bound).toEqual(http);
  } finally {
    await secureListeners.close();
    await network.close();
    rmSync(folder, { recursive: true });
  }
});

/** An enrolled host hears of its identity while it starts and opens its doors at the end of the start as well. */
test('listeners that are opened twice at once open once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-door-'));
  const { cert, key } = await (await demoAuthority(folder)).issue(['127.0.0.1']);
  const identity = { certificatePem: cert, keyPem: key, caPem: cert } as HostIdentity;
  const [https = 0, sips = 0] = await freePorts('127.0.0.1', 2);
  const network = new SipNetwork(sinkless, { monoMs: () => performance.now() });
  const secureListeners = new SecureListeners(
    {
      http: [{ host: '127.0.0.1', port: https }],
      sipTls: [{ host: '127.0.0.1', port: sips }],
      tlsFiles: undefined,
      trustPem: undefined,
    },
    network,
    () => new Response(),
  );
  try {
    await network.open([], []);
    await Promise.all([secureListeners.open(identity), secureListeners.open(identity)]);
    expect(network.bound.map(({ transport, port }) => ({ transport, port }))).toEqual([
      { transport: 'TLS', port: sips },
    ]);
  } finally {
    await secureListeners.close();
    await network.close();
    rmSync(folder, { recursive: true });
  }
});
