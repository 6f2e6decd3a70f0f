/** Headers of PROXY protocol 2, put together from their parts (HAProxy, doc/proxy-protocol.txt, section 2.2). */
export const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

export interface HeaderParts {
  /** Version and command. */
  readonly command?: number;
  /** Family and transport. */
  readonly family?: number;
  /** Everything behind the length. */
  readonly rest?: Buffer;
  /** The length as written; absent = the true one. */
  readonly length?: number;
}

export function proxyHeader({
  command = 0x21,
  family = 0x11,
  rest = FROM_V4,
  length,
}: HeaderParts = {}): Buffer {
  const fixed = Buffer.from([command, family, 0, 0]);
  fixed.writeUInt16BE(length ?? rest.length, 2);
  return Buffer.concat([SIGNATURE, fixed, rest]);
}

/** 203.0.113.7 port 40000 to 192.0.2.1 port 443. */
export const FROM_V4 = Buffer.from('cb007107c00002019c4001bb', 'hex');
/** 2001:db8::7 to 2001:db8::1, the same ports. */
export const FROM_V6 = Buffer.from(
  '20010db8000000000000000000000007' + '20010db8000000000000000000000001' + '9c4001bb',
  'hex',
);

export const tlv = (type: number, value: Buffer): Buffer => {
  const head = Buffer.from([type, 0, 0]);
  head.writeUInt16BE(value.length, 1);
  return Buffer.concat([head, value]);
};
