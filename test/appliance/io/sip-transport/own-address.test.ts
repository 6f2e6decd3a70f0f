import { describe, expect, it } from 'vitest';
import { OwnAddresses, plainAddress, sourceTowards } from '#appliance/io/sip-transport/own-address.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';

const V4 = '192.0.2.10';
const V6 = '2001:db8::10';
/** Where the routes of this host begin, by family. */
const ROUTES = (remote: string) => (remote.includes(':') ? V6 : V4);

const flow = (localAddress: string, remoteAddress: string) => ({ localAddress, remoteAddress }) as Flow;

describe('a peer finds us at', () => {
  it.each([
    ['the address this host is known by', V4, '10.0.0.1', '192.0.2.20', V4],
    ['the same over IPv6', V6, '2001:db8::11', '2001:db8::20', V6],
    [
      'an IPv6 peer of a host known by IPv4: where its flow ends',
      V4,
      '2001:db8::11',
      '2001:db8::20',
      '2001:db8::11',
    ],
    [
      'an IPv4 peer of a host known by IPv6: where its flow ends',
      V6,
      '192.0.2.11',
      '192.0.2.20',
      '192.0.2.11',
    ],
    ['a listener of every address: where the way to the peer begins', V4, '::', '2001:db8::20', V6],
    ['the same of IPv4', V6, '0.0.0.0', '192.0.2.20', V4],
    ['a socket of both families that an IPv4 peer came by', V4, '::ffff:10.0.0.1', '::ffff:192.0.2.20', V4],
    ['the same of a host known by IPv6', V6, '::ffff:10.0.0.1', '::ffff:192.0.2.20', '10.0.0.1'],
    ['a link-local address, without its zone', V4, 'fe80::1%eth0', 'fe80::2%eth0', 'fe80::1'],
    ['a host that is known by a name', 'alarm.example', '192.0.2.10', '192.0.2.20', 'alarm.example'],
  ])('%s', (_, own, localAddress, remoteAddress, host) => {
    expect(new OwnAddresses(() => 0, ROUTES).towards(flow(localAddress, remoteAddress), own)).toBe(host);
  });

  it('by the name of this host, when no route leads there', () => {
    const addresses = new OwnAddresses(
      () => 0,
      () => undefined,
    );
    expect(addresses.towards(flow('::', '2001:db8::20'), V4)).toBe(V4);
  });

  it.each([
    ['0.0.0.0', V4],
    ['10.8.0.1', '10.8.0.1'],
  ])('the interface that leads to it, for who is in a private network (%s)', (localAddress, host) => {
    expect(new OwnAddresses(() => 0, ROUTES).addressTowards(flow(localAddress, '10.8.0.2'))).toBe(host);
  });

  it.each([
    ['what this host is known by, for its own family', V4, '192.0.2.20', V4],
    ['the address that leads there, for the other one', V4, '2001:db8::20', V6],
    ['the same of a host known by IPv6', V6, '192.0.2.20', V4],
    ['IPv4 in the words of IPv6', V4, '::ffff:192.0.2.20', V4],
    ['a name, which counts as IPv4', 'alarm.example', '192.0.2.20', 'alarm.example'],
  ])('%s, without a flow', (_, own, remote, host) => {
    expect(new OwnAddresses(() => 0, ROUTES).reachedFrom(remote, own)).toBe(host);
  });

  it('nothing, without a flow and without an address of that family', () => {
    const addresses = new OwnAddresses(
      () => 0,
      () => undefined,
    );
    expect(addresses.reachedFrom('2001:db8::20', V4)).toBeUndefined();
    expect(addresses.reachedFrom('192.0.2.20', V4)).toBe(V4);
  });

  it('another address, a while after the route has changed', () => {
    let nowMs = 0;
    let asked = 0;
    let route = V6;
    const addresses = new OwnAddresses(
      () => nowMs,
      () => {
        asked++;
        return route;
      },
    );
    const said = () => addresses.towards(flow('::', '2001:db8::20'), V4);
    expect([said(), said(), asked]).toEqual([V6, V6, 1]);
    route = '2001:db8::12';
    nowMs = 9_999;
    expect(said()).toBe(V6);
    nowMs = 10_000;
    expect([said(), asked]).toEqual(['2001:db8::12', 2]);
  });
});

describe('the kernel', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.9', '127.0.0.1'],
    ['::1', '::1'],
  ])('begins the route to %s at %s', (remote, source) => {
    expect(sourceTowards(remote)).toBe(source);
  });

  it.each(['255.255.255.255', 'no address'])('knows no route to %j', (remote) => {
    expect(sourceTowards(remote)).toBeUndefined();
  });
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:1', '::ffff:1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
])('%s is %s', (written, plain) => expect(plainAddress(written)).toBe(plain));
