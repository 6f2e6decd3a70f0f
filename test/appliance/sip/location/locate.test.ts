import { describe, expect, test } from 'vitest';
import { type LocateOptions, type Lookup, locate } from '#appliance/sip/location/index.ts';
import { isSip, parseUri } from '#appliance/sip/message/index.ts';
import { fail } from '#shared/result.ts';
import { testNetwork } from '#test/support/network.ts';

function network() {
  const net = testNetwork();
  net.addresses.set('plain.example', ['192.0.2.1', '2001:db8::1']);
  net.addresses.set('a.example', ['192.0.2.11']);
  net.addresses.set('b.example', ['192.0.2.12']);
  net.srv.set('_sip._udp.srv.example', [
    { priority: 20, weight: 0, port: 5080, target: 'b.example' },
    { priority: 10, weight: 0, port: 5070, target: 'a.example' },
  ]);
  net.srv.set('_sips._tcp.srv.example', [{ priority: 1, weight: 0, port: 5071, target: 'a.example' }]);
  net.naptr.set('naptr.example', [
    { order: 90, preference: 50, flags: 's', service: 'SIP+D2T', replacement: '_sip._tcp.naptr.example' },
    { order: 50, preference: 50, flags: 's', service: 'SIPS+D2T', replacement: '_sips._tcp.srv.example' },
    { order: 50, preference: 60, flags: 's', service: 'sip+d2u', replacement: '_sip._udp.srv.example' },
    { order: 1, preference: 1, flags: 's', service: 'SIP+D2S', replacement: '_sip._sctp.naptr.example' },
    { order: 1, preference: 1, flags: 'u', service: 'E2U+sip', replacement: '' },
  ]);
  net.srv.set('_sip._tcp.naptr.example', [{ priority: 1, weight: 1, port: 5062, target: 'b.example' }]);
  net.srv.set('_sip._udp.closed.example', [{ priority: 0, weight: 0, port: 0, target: '.' }]);
  net.addresses.set('closed.example', ['192.0.2.99']);
  return net;
}

async function hops(text: string, options?: LocateOptions, lookup: Lookup = network().lookup) {
  const uri = parseUri(text);
  if (!uri.ok || !isSip(uri.value)) throw new Error(`${text} is no SIP URI`);
  const located = await locate(uri.value, lookup, () => 0, options);
  if (!located.ok) return [located.error.code];
  return located.value.map(({ transport, address, port }) => `${transport} ${address} ${port}`);
}

describe('where a SIP URI is served', () => {
  test.each<[string, string[]]>([
    ['sip:192.0.2.1', ['UDP 192.0.2.1 5060']],
    ['sip:192.0.2.1:5070', ['UDP 192.0.2.1 5070']],
    ['sip:192.0.2.1;transport=tcp', ['TCP 192.0.2.1 5060']],
    ['sip:192.0.2.1;transport=tls', ['TLS 192.0.2.1 5061']],
    ['sips:192.0.2.1', ['TLS 192.0.2.1 5061']],
    ['sip:[2001:db8::7]', ['UDP 2001:db8::7 5060']],
    ['sip:plain.example:5062', ['UDP 192.0.2.1 5062', 'UDP 2001:db8::1 5062']],
    ['sips:plain.example:5062', ['TLS 192.0.2.1 5062', 'TLS 2001:db8::1 5062']],
    ['sip:plain.example', ['UDP 192.0.2.1 5060', 'UDP 2001:db8::1 5060']],
    ['sip:plain.example;transport=tcp', ['TCP 192.0.2.1 5060', 'TCP 2001:db8::1 5060']],
    ['sip:srv.example;transport=udp', ['UDP 192.0.2.11 5070', 'UDP 192.0.2.12 5080']],
    ['sip:srv.example', ['UDP 192.0.2.11 5070', 'UDP 192.0.2.12 5080', 'TLS 192.0.2.11 5071']],
    ['sips:srv.example', ['TLS 192.0.2.11 5071']],
    ['sip:srv.example:5060', ['NotFound']],
    [
      'sip:naptr.example',
      ['TLS 192.0.2.11 5071', 'UDP 192.0.2.11 5070', 'UDP 192.0.2.12 5080', 'TCP 192.0.2.12 5062'],
    ],
    ['sips:naptr.example', ['TLS 192.0.2.11 5071']],
    ['sip:closed.example;transport=udp', ['NotFound']],
    ['sip:nowhere.example', ['NotFound']],
    ['sip:x@plain.example;maddr=192.0.2.50', ['UDP 192.0.2.50 5060']],
    ['sip:plain.example;transport=sctp', ['NotSupported']],
    ['sips:plain.example;transport=udp', ['NotSupported']],
    ['sips:plain.example;transport=tcp', ['TLS 192.0.2.1 5061', 'TLS 2001:db8::1 5061']],
  ])('%s', async (uri, expected) => {
    expect(await hops(uri)).toEqual(expected);
  });

  test('a transport of ours is for URIs that name none, and spares NAPTR', async () => {
    const net = network();
    expect(await hops('sip:naptr.example', { transport: 'TCP' }, net.lookup)).toEqual([
      'TCP 192.0.2.12 5062',
    ]);
    expect(net.asked.some((each) => each.startsWith('NAPTR'))).toBe(false);
    expect(await hops('sip:192.0.2.1;transport=tcp', { transport: 'UDP' })).toEqual(['TCP 192.0.2.1 5060']);
    expect(await hops('sips:192.0.2.1', { transport: 'UDP' })).toEqual(['TLS 192.0.2.1 5061']);
  });

  test('transports that are not there are passed over', async () => {
    expect(await hops('sip:srv.example', { usable: ['UDP'] })).toEqual([
      'UDP 192.0.2.11 5070',
      'UDP 192.0.2.12 5080',
    ]);
    expect(await hops('sip:192.0.2.1;transport=tls', { usable: ['UDP'] })).toEqual(['NotSupported']);
  });

  test('the certificate must speak for the host of the URI, not for what SRV names', async () => {
    const uri = parseUri('sips:SRV.example');
    if (!uri.ok || !isSip(uri.value)) throw new Error('no URI');
    const located = await locate(uri.value, network().lookup, () => 0);
    expect(located.ok && located.value[0]?.domain).toBe('srv.example');
  });

  test('a name service that does not answer is kept apart from a name that is not there', async () => {
    const silent = async () => fail('LookupFailed', 'no answer');
    const lookup: Lookup = { naptr: silent, srv: silent, addresses: silent };
    for (const uri of ['sip:a.example', 'sip:a.example:5060', 'sip:a.example;transport=tcp'])
      expect(await hops(uri, {}, lookup)).toEqual(['LookupFailed']);
  });

  test('thousands of records are no thousands of hops', async () => {
    const net = network();
    net.addresses.set(
      'many.example',
      Array.from({ length: 1_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`),
    );
    expect(await hops('sip:many.example:5060', {}, net.lookup)).toHaveLength(16);
  });
});
