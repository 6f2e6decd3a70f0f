import { describe, expect, it } from 'vitest';
import { crc32c, readProxyHeader } from '#cloud/io/listener/proxy-header.ts';
import { FROM_V4, FROM_V6, proxyHeader, SIGNATURE, tlv } from './proxy-bytes.ts';

const read = (length: number, source?: string) =>
  source === undefined ? { kind: 'read', length } : { kind: 'read', length, source };

/** With a checksum over all of it (section 2.2.3). */
function checked(): Buffer {
  const header = proxyHeader({ rest: Buffer.concat([FROM_V4, tlv(0x03, Buffer.alloc(4))]) });
  header.writeUInt32BE(crc32c(header), header.length - 4);
  return header;
}

describe('the header of PROXY protocol 2', () => {
  it.each([
    ['TCP over IPv4', proxyHeader(), read(28, '203.0.113.7')],
    ['TCP over IPv6', proxyHeader({ family: 0x21, rest: FROM_V6 }), read(52, '2001:db8::7')],
    [
      'IPv4 inside of IPv6',
      proxyHeader({
        family: 0x21,
        rest: Buffer.from(`${'00'.repeat(10)}ffffcb007107${'00'.repeat(16)}9c4001bb`, 'hex'),
      }),
      read(52, '203.0.113.7'),
    ],
    [
      'LOCAL, a check of the load balancer',
      proxyHeader({ command: 0x20, family: 0, rest: Buffer.alloc(0) }),
      read(16),
    ],
    ['LOCAL with addresses that do not count', proxyHeader({ command: 0x20 }), read(28)],
    ['no family', proxyHeader({ family: 0, rest: Buffer.alloc(0) }), read(16)],
    ['a local socket', proxyHeader({ family: 0x31, rest: Buffer.alloc(216) }), read(232)],
    [
      'an unknown extension',
      proxyHeader({ rest: Buffer.concat([FROM_V4, tlv(0xe0, Buffer.from('x'))]) }),
      read(32, '203.0.113.7'),
    ],
    ['a right checksum', checked(), read(35, '203.0.113.7')],
  ] as const)('reads %s, and nothing behind it', (_, header, found) => {
    expect(readProxyHeader(header)).toEqual(found);
    expect(readProxyHeader(Buffer.concat([header, Buffer.from('GET / HTTP/1.1')]))).toEqual(found);
  });

  it.each([
    [
      'version 1 in text',
      Buffer.from('PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n'),
      /version 1 .*send-proxy-v2/,
    ],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n'), /something else came .*CARILLON_TRUSTED_PROXIES/],
    ['TLS', Buffer.from('160301', 'hex'), /a TLS greeting came in place/],
    ['version 3', proxyHeader({ command: 0x31 }), /version 3/],
    ['another command', proxyHeader({ command: 0x22 }), /unknown command 2/],
    ['another family', proxyHeader({ family: 0x41 }), /unknown family/],
    ['a datagram', proxyHeader({ family: 0x12 }), /datagram/],
    [
      'addresses that are cut off',
      proxyHeader({ rest: FROM_V4.subarray(0, 11) }),
      /cut off: its addresses take 12 bytes, and it has 11/,
    ],
    ['too much', proxyHeader({ length: 0xffff }), /65551 bytes, more than 2048/],
    [
      'half an extension',
      proxyHeader({ rest: Buffer.concat([FROM_V4, Buffer.from([1, 0])]) }),
      /inside of an extension/,
    ],
    [
      'an extension without its end',
      proxyHeader({ rest: Buffer.concat([FROM_V4, Buffer.from([1, 0, 9, 0])]) }),
      /inside of an extension/,
    ],
    [
      'a wrong checksum',
      Buffer.concat([checked().subarray(0, 31), Buffer.from('00000000', 'hex')]),
      /wrong checksum/,
    ],
    [
      'a checksum of two bytes',
      proxyHeader({ rest: Buffer.concat([FROM_V4, tlv(3, Buffer.alloc(2))]) }),
      /checksum of 2 bytes/,
    ],
  ] as const)('refuses %s with the reason', (_, bytes, reason) => {
    const found = readProxyHeader(bytes);
    expect(found.kind === 'bad' ? found.reason : found).toMatch(reason);
  });

  it('asks for more until all of it is there, byte by byte', () => {
    const whole = checked();
    for (let length = 0; length < whole.length; length++) {
      const found = readProxyHeader(whole.subarray(0, length));
      expect(found.kind).toBe('short');
      if (found.kind === 'short') expect(found.needs).toBeGreaterThan(length);
    }
    expect(readProxyHeader(whole).kind).toBe('read');
  });

  it('has the checksum of the standard', () => {
    // RFC 3720, appendix B.4: 32 bytes of zeros, of ones, and "123456789".
    expect(crc32c(Buffer.alloc(32)).toString(16)).toBe('8a9136aa');
    expect(crc32c(Buffer.alloc(32, 0xff)).toString(16)).toBe('62a8ab43');
    expect(crc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283');
  });

  it('survives whatever is changed in it, and believes no changed header with a checksum', () => {
    const whole = checked();
    for (let at = 0; at < whole.length; at++)
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const damaged = Buffer.from(whole);
        damaged.writeUInt8(damaged.readUInt8(at) ^ bit, at);
        const found = readProxyHeader(damaged);
        // Without the extension of the checksum, or as LOCAL, it is another header; its address is then never the changed one.
        if (found.kind === 'read' && found.source !== undefined) expect(at).toBeGreaterThanOrEqual(28);
      }
    expect(readProxyHeader(Buffer.concat([SIGNATURE, Buffer.alloc(4)])).kind).toBe('bad');
  });
});
