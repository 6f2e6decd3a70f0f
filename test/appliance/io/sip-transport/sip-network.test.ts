import { expect, it } from 'vitest';
import { SipNetwork } from '#appliance/io/sip-transport/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';

const network = new SipNetwork(
  { message: () => undefined, closed: () => undefined, failed: () => undefined },
  { monoMs: () => performance.now() },
);
const V4 = '192.0.2.10';
const V6 = '2001:db8::10';

it.each([
  ['the address this host is known by', V4, '192.0.2.20', '10.0.0.1', V4],
  ['the same over IPv6', V6, '2001:db8::20', '2001:db8::11', `[${V6}]`],
  ['an IPv6 peer of a host known by IPv4: where its flow ends', V4, '2001:db8::20', V6, `[${V6}]`],
  ['an IPv4 peer of a host known by IPv6: where its flow ends', V6, '192.0.2.20', V4, V4],
  ['a listener of every address, which names none', V4, '2001:db8::20', '::', V4],
  ['the same of IPv4', V6, '192.0.2.20', '0.0.0.0', `[${V6}]`],
])('a peer finds us at %s', (_, own, remoteAddress, localAddress, host) => {
  expect(network.hostTowards({ remoteAddress, localAddress } as Flow, own)).toBe(host);
});
