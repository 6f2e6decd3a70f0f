import { describe, expect, it } from 'vitest';
import { addressBytes, hepPacket, pcapng } from '#appliance/capture/index.ts';
import { DEVICE, request } from './sip-text.ts';

const NOTE = { program: 'carillon test', ownAddress: '192.0.2.1' };
const message = { ...request('MESSAGE', 'c'), key: 'c' };

/** Types of the blocks, by a walk over their lengths. */
function blocks(file: Buffer): { readonly type: number; readonly body: Buffer }[] {
  const found: { readonly type: number; readonly body: Buffer }[] = [];
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    expect(length % 4).toBe(0);
    expect(file.readUInt32LE(at + length - 4)).toBe(length);
    found.push({ type: file.readUInt32LE(at), body: file.subarray(at + 8, at + length - 4) });
    at += length;
  }
  return found;
}

describe('pcapng', () => {
  it('is a section, two interfaces and a block for each message', () => {
    const file = blocks(pcapng([message, message], NOTE));
    expect(file.map(({ type }) => type)).toEqual([0x0a0d0d0a, 1, 1, 6, 6]);
    expect(file.slice(1, 3).map(({ body }) => body.readUInt16LE(0))).toEqual([101, 252]);
  });

  it('says that an address is the configured one', () => {
    const [, , , packet] = blocks(pcapng([message], NOTE));
    expect(packet?.body.includes('in UDP; configured address')).toBe(true);
    expect(packet?.body.includes(Buffer.from([198, 51, 100, 7, 192, 0, 2, 1]))).toBe(true);
  });

  it('says that an address is not known, when the configured one is of another family', () => {
    const route = { ...DEVICE, localAddress: '::', remoteAddress: '2001:db8::7' };
    const [, , , packet] = blocks(pcapng([{ ...message, flow: route }], NOTE));
    expect(packet?.body.includes('in UDP; local address not known')).toBe(true);
  });

  it('invents no packet for what fits into none, or came in a stream', () => {
    const long = { ...message, bytes: Buffer.alloc(65_530, 'a') };
    const tls = { ...message, flow: { ...DEVICE, transport: 'TLS' as const } };
    expect(
      blocks(pcapng([long, tls], NOTE))
        .slice(3)
        .map(({ body }) => body.readUInt32LE(0)),
    ).toEqual([1, 1]);
  });
});

describe('addresses', () => {
  it.each([
    ['192.0.2.1', 'c0000201'],
    ['2001:db8::1', '20010db8000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s', (text, hex) => {
    expect(Buffer.from(addressBytes(text) ?? []).toString('hex')).toBe(hex);
  });

  it.each(['', 'host', '192.0.2', '192.0.2.256', '1::2::3', '1:2:3', '1:2:3:4:5:6:7:8:9', ':::'])(
    '"%s" is none',
    (text) => {
      expect(addressBytes(text)).toBeUndefined();
    },
  );
});

it('makes no HEP packet of what has no addresses or no room', () => {
  expect(hepPacket(message, 1, '192.0.2.1')?.subarray(0, 4).toString()).toBe('HEP3');
  expect(
    hepPacket({ ...message, flow: { ...DEVICE, remoteAddress: 'host' } }, 1, '192.0.2.1'),
  ).toBeUndefined();
  expect(hepPacket({ ...message, bytes: Buffer.alloc(65_500) }, 1, '192.0.2.1')).toBeUndefined();
});
