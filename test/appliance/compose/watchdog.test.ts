import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { type WatchedListeners, watchdogFaults } from '#appliance/compose/watchdog.ts';
import { SipNetwork } from '#appliance/io/sip-transport/index.ts';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';

const HOSTS = ['127.0.0.1', '::1'] as const;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A host at two addresses with every listener it can have; `answers` says which of them answer SIP. */
async function host(answers: (transport: string, at: string) => boolean = () => true) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-pulse-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const certificate = await (await demoAuthority(folder)).issue([...HOSTS]);
  const network: SipNetwork = new SipNetwork(
    {
      message: (flow, bytes) => {
        const ok = 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n';
        if (bytes.toString().startsWith('OPTIONS ') && answers(flow.transport, flow.localAddress))
          network.send(flow, Buffer.from(ok));
      },
      closed: () => undefined,
      failed: () => undefined,
    },
    { monoMs: () => performance.now() },
  );
  const anyPort = HOSTS.map((at) => ({ host: at, port: 0 }));
  await network.open(anyPort, anyPort);
  await network.secure(anyPort, () => certificate);
  closing.push(() => network.close());
  const opened = async (make: () => Server | HttpsServer) =>
    await Promise.all(
      HOSTS.map(async (at) => {
        const server = make().listen(0, at);
        await once(server, 'listening');
        const close = () => new Promise((resolve) => server.close(resolve));
        closing.push(close);
        return { host: at as string, port: (server.address() as AddressInfo).port, close };
      }),
    );
  const open = {
    https: await opened(() => createHttps(certificate, (_, response) => response.end('ok'))),
    dc09: await opened(() => createServer()),
    commandQueue: await opened(() => createTls(certificate)),
    peer: await opened(() => createTls(certificate)),
  };
  const listeners: WatchedListeners = {
    sip: () => network.bound,
    https: () => open.https,
    dc09: () => open.dc09,
    commandQueue: () => open.commandQueue,
    peer: () => open.peer,
  };
  const journal = await openJournal({ file: join(folder, 'journal.db') });
  closing.push(() => journal.close());
  const logged: string[] = [];
  const pulse = (has?: (at: string) => boolean) =>
    watchdogFaults({
      listeners,
      media: { load: async () => [undefined] },
      journal,
      log: (level, event, _, detail) => logged.push(`${level} ${event} ${JSON.stringify(detail)}`),
      ...(has && { has }),
    });
  return { open, network, journal, logged, pulse };
}

const WORKER = '1 of 1 media workers do not answer';

it('a host at several addresses answers at each of them', async () => {
  const { pulse, logged } = await host();
  expect(await pulse()()).toEqual([WORKER]);
  expect(logged).toEqual([]);
});

it.each([
  ['UDP', '::1'],
  ['TCP', '127.0.0.1'],
  ['TLS', '::1'],
])('SIP over %s that is silent at %s is said, and that alone', async (transport, at) => {
  const { pulse, network } = await host((by, where) => by !== transport || where !== at);
  const { port = 0 } = network.bound.find((each) => each.transport === transport && each.host === at) ?? {};
  expect(await pulse()()).toEqual([
    `OPTIONS to ${at}:${port}/${transport} was not answered within 2 s`,
    WORKER,
  ]);
});

it.each([
  ['https', 'HTTPS at %s did not answer within 2 s'],
  ['dc09', 'DC-09 at %s takes no connection'],
  ['commandQueue', 'the command queue at %s takes no connection'],
  ['peer', 'the link to the other hosts at %s takes no connection'],
] as const)('%s that is lost at one address is named with that address', async (name, sentence) => {
  const { pulse, open } = await host();
  for (const { host: at, port, close } of open[name]) {
    await close();
    const said = (where: string, number: number): string => sentence.replace('%s', `${where}:${number}`);
    const lost = open[name].slice(0, open[name].findIndex((each) => each.host === at) + 1);
    expect(await pulse()()).toEqual([...lost.map((each) => said(each.host, each.port)), WORKER]);
    expect(said(at, port)).toContain(at);
  }
});

it('an address that the machine has lost is said in the log, once, and no start is asked for', async () => {
  const { pulse, open, logged } = await host();
  await open.dc09[1]?.close();
  const asked = pulse((at) => at !== '::1');
  expect(await asked()).toEqual([WORKER]);
  expect(await asked()).toEqual([WORKER]);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(/^warn listener\.address_lost .*DC-09 at ::1:\d+ takes no connection/);
  // Back, and lost again.
  const [first] = open.dc09;
  const again = createServer().listen(open.dc09[1]?.port, '::1');
  await once(again, 'listening');
  expect(await asked()).toEqual([WORKER]);
  await new Promise((resolve) => again.close(resolve));
  expect(await asked()).toEqual([WORKER]);
  expect(logged).toHaveLength(2);
  await first?.close();
  expect((await asked())[0]).toContain('DC-09 at 127.0.0.1');
});

it('listeners on every address are asked in their own family', async () => {
  const silent: Socket = createSocket({ type: 'udp6', ipv6Only: true });
  silent.bind(0, '::');
  await once(silent, 'listening');
  closing.push(() => silent.close());
  const { port } = silent.address();
  const { network, journal } = await host();
  const udp = network.bound.filter(({ transport }) => transport === 'UDP');
  const faults = await watchdogFaults({
    listeners: {
      sip: () => [...udp, { transport: 'UDP', host: '::', port }],
      https: () => [],
      dc09: () => [],
      commandQueue: () => [],
      peer: () => [],
    },
    media: { load: async () => [] },
    journal,
    log: () => undefined,
  })();
  expect(faults).toEqual([`OPTIONS to ::1:${port}/UDP was not answered within 2 s`]);
});
