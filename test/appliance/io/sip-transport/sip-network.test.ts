import { afterEach, expect, it } from 'vitest';
import { SipNetwork } from '#appliance/io/sip-transport/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';

const network = () =>
  new SipNetwork(
    { message: () => undefined, closed: () => undefined, failed: () => undefined },
    { monoMs: () => performance.now() },
  );
const opened: SipNetwork[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const towards = (remoteAddress: string) =>
  ({
    transport: 'UDP',
    localAddress: remoteAddress.includes(':') ? '::' : '0.0.0.0',
    localPort: 1,
    remoteAddress,
  }) as Flow;

it('writes IPv6 in brackets, and never the address of a listener that hears all', () => {
  expect(network().hostTowards(towards('::1'), '192.0.2.10')).toBe('[::1]');
  expect(network().hostTowards(towards('127.0.0.1'), '2001:db8::10')).toBe('127.0.0.1');
  expect(network().hostTowards(towards('::1'), '2001:db8::10')).toBe('[2001:db8::10]');
  expect(network().hostTowards(towards('::1'), '2001:db8::10', true)).toBe('[::1]');
  expect(network().hostTowards(towards('127.0.0.1'), '192.0.2.10', true)).toBe('127.0.0.1');
});

it('listens for both families at once, and names the port of the family that a peer is of', async () => {
  const both = network();
  opened.push(both);
  const listening = ['0.0.0.0', '::'].map((host) => ({ host, port: 0 }));
  await both.open(listening, listening);
  const portOf = (name: string, at: string) =>
    both.bound.find(({ transport, host }) => transport === name && host === at)?.port;
  expect(both.bound.map(({ transport, host }) => `${transport} ${host}`)).toEqual([
    'UDP 0.0.0.0',
    'UDP ::',
    'TCP 0.0.0.0',
    'TCP ::',
  ]);
  expect(both.portTowards(towards('127.0.0.1'))).toBe(portOf('UDP', '0.0.0.0'));
  expect(both.portTowards(towards('::1'))).toBe(portOf('UDP', '::'));
});

it('leaves by the socket of the address that the route to a peer begins at', async () => {
  const several = network();
  opened.push(several);
  await several.open(
    ['127.0.0.2', '127.0.0.1'].map((host) => ({ host, port: 0 })),
    [],
  );
  const flow = await several.connect({
    transport: 'UDP',
    address: '127.0.0.1',
    port: 9,
    domain: 'localhost',
  });
  expect(flow).toMatchObject({ ok: true, value: { localAddress: '127.0.0.1' } });
});

it('a request before it is open waits for that, as long as it may', async () => {
  const early = network();
  opened.push(early);
  const hop = { transport: 'UDP', address: '127.0.0.1', port: 9, domain: 'localhost' } as const;
  expect(await early.connect(hop, 20)).toMatchObject({ ok: false, error: { reason: 'SIP is not open yet' } });
  const flow = early.connect(hop);
  await early.open([{ host: '127.0.0.1', port: 0 }], []);
  expect(await flow).toMatchObject({ ok: true, value: { transport: 'UDP', remoteAddress: '127.0.0.1' } });
});
