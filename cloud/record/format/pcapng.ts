/*
 * pcapng (draft-ietf-opsawg-pcapng), as hosts write it: one little-endian section, interfaces whose times are in microseconds, and
 * an Enhanced Packet Block for each message.
 */
const BLOCK = { section: 0x0a0d0d0a, interface: 1, packet: 6 } as const;
const BYTE_ORDER = 0x1a2b3c4d;
const OPTION = { end: 0, comment: 1, application: 4, description: 3 } as const;
/** Type, length, and the length again behind the content. */
const FRAME_BYTES = 12;
const SHORTEST = { [BLOCK.section]: 28, [BLOCK.interface]: 20, [BLOCK.packet]: 32 } as const;

/** The file of one host. */
export interface HostCapture {
  readonly hostId: string;
  readonly bytes: Uint8Array;
}

/** A capture file, and the number of packets that were left out of it. */
export interface JoinedCapture {
  readonly bytes: Buffer;
  readonly leftOut: number;
}

interface Section {
  readonly interfaces: readonly Buffer[];
  /** Times in microseconds. */
  readonly packets: readonly { readonly at: bigint; readonly block: Buffer }[];
}

/** The interfaces and packets of a file; undefined when a host cannot have written it. */
export function sectionOf(file: Uint8Array): Section | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const interfaces: Buffer[] = [];
  const packets: { at: bigint; block: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const block = blockAt(bytes, at);
    if (block === undefined) return undefined;
    const type = block.readUInt32LE(0) as keyof typeof SHORTEST;
    if ((type === BLOCK.section) !== (at === 0)) return undefined;
    if (block.length < (SHORTEST[type] ?? 0)) return undefined;
    if (type === BLOCK.section && block.readUInt32LE(8) !== BYTE_ORDER) return undefined;
    if (type === BLOCK.interface) interfaces.push(block);
    if (type === BLOCK.packet) {
      if (block.readUInt32LE(8) >= interfaces.length) return undefined;
      packets.push({ at: timeOf(block), block });
    }
    at += block.length;
  }
  return bytes.length === 0 ? undefined : { interfaces, packets };
}

function blockAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + FRAME_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at + 4);
  if (length < FRAME_BYTES || length % 4 !== 0 || at + length > bytes.length) return undefined;
  return bytes.readUInt32LE(at + length - 4) === length ? bytes.subarray(at, at + length) : undefined;
}

const timeOf = (packet: Buffer): bigint =>
  (BigInt(packet.readUInt32LE(12)) << 32n) | BigInt(packet.readUInt32LE(16));

/**
 * One file of the files of several hosts: each interface names its host, the packets are in the order of time. Files that
 * `sectionOf` does not read have no place here.
 *
 * @param said comment of the file, made when it is known how many packets were left out.
 */
export function joinedPcapng(
  hosts: readonly HostCapture[],
  mostBytes: number,
  said: (leftOut: number) => string,
): JoinedCapture {
  const interfaces: Buffer[] = [];
  const packets: { at: bigint; block: Buffer }[] = [];
  for (const { hostId, bytes } of hosts) {
    const section = sectionOf(bytes) ?? { interfaces: [], packets: [] };
    const first = interfaces.length;
    interfaces.push(...section.interfaces.map((block) => namedInterface(block, hostId)));
    for (const { at, block } of section.packets) {
      const moved = Buffer.from(block);
      moved.writeUInt32LE(block.readUInt32LE(8) + first, 8);
      packets.push({ at, block: moved });
    }
  }
  packets.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  let size = 0;
  const end = packets.findIndex(({ block }) => {
    size += block.length;
    return size > mostBytes;
  });
  const fitting = end === -1 ? packets : packets.slice(0, end);
  const leftOut = packets.length - fitting.length;
  const kept = fitting.map(({ block }) => block);
  return { leftOut, bytes: Buffer.concat([sectionBlock(said(leftOut)), ...interfaces, ...kept]) };
}

/** The same interface with the name of its host as description. */
const namedInterface = (block: Buffer, hostId: string): Buffer =>
  framed(BLOCK.interface, [
    block.subarray(8, 16),
    option(OPTION.description, `host ${hostId}`),
    block.subarray(16, -4),
  ]);

function sectionBlock(comment: string): Buffer {
  const head = Buffer.alloc(16, 0xff);
  head.writeUInt32LE(BYTE_ORDER, 0);
  head.writeUInt32LE(1, 4);
  const options = [option(OPTION.application, 'Carillon'), option(OPTION.comment, comment)];
  return framed(BLOCK.section, [head, ...options, option(OPTION.end, '')]);
}

function framed(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const block = Buffer.alloc(body.length + FRAME_BYTES);
  block.writeUInt32LE(type, 0);
  block.writeUInt32LE(block.length, 4);
  block.set(body, 8);
  block.writeUInt32LE(block.length, block.length - 4);
  return block;
}

/** The value is cut to what an option holds, and padded to four bytes. */
function option(code: number, value: string): Buffer {
  const bytes = Buffer.from(value).subarray(0, 65_532);
  const whole = Buffer.alloc(4 + Math.ceil(bytes.length / 4) * 4);
  whole.writeUInt16LE(code, 0);
  whole.writeUInt16LE(bytes.length, 2);
  whole.set(bytes, 4);
  return whole;
}
