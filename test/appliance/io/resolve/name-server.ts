import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records of a zone by `TYPE name`, in the text form of a zone file; `SERVFAIL` and `silence` are answers, too. */
export type Zone = Map<
  string,
  { readonly ttl: number; readonly data: readonly string[] } | 'SERVFAIL' | 'silence'
>;

const TYPE = { A: 1, AAAA: 28, SRV: 33, NAPTR: 35 } as const;
type TypeName = keyof typeof TYPE;

/** A name server on loopback that answers from `zone` (RFC 1035 4, RFC 2782, RFC 3403, RFC 3596). */
export async function nameServer(zone: Zone) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    const kind = (Object.keys(TYPE) as TypeName[]).find((each) => TYPE[each] === type) ?? `TYPE${type}`;
    const key = `${kind} ${name}`;
    asked.push(key);
    const found = zone.get(key);
    if (found === 'silence') return;
    const records = found === 'SERVFAIL' || found === undefined ? undefined : found;
    const exists = [...zone.keys()].some((each) => each.endsWith(` ${name}`));
    const head = Buffer.from(query.subarray(0, 12));
    // QR, RD, RA; NXDOMAIN when nothing at all is known of the name.
    head.writeUInt16BE(0x8180 | (found === 'SERVFAIL' ? 2 : exists ? 0 : 3), 2);
    head.writeUInt16BE(records?.data.length ?? 0, 6);
    head.writeUInt32BE(0, 8);
    const answers = (records?.data ?? []).map((text) =>
      record(type, records?.ttl ?? 0, data(kind as TypeName, text)),
    );
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(type: number, ttl: number, rdata: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // The name is the one of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(rdata.length, 10);
  return Buffer.concat([head, rdata]);
}

function data(kind: TypeName, text: string): Buffer {
  if (kind === 'A') return Buffer.from(text.split('.').map(Number));
  if (kind === 'AAAA') {
    const [left = '', right = ''] = text.split('::');
    const groups = (half: string) => half.split(':').filter((group) => group !== '');
    const zeros = Array<string>(8 - groups(left).length - groups(right).length).fill('0');
    return Buffer.from(
      [...groups(left), ...zeros, ...groups(right)].map((group) => group.padStart(4, '0')).join(''),
      'hex',
    );
  }
  const parts = text.split(' ');
  if (kind === 'SRV') return Buffer.concat([numbers(parts.slice(0, 3)), domainName(parts[3] ?? '')]);
  const [order = '', preference = '', flags = '', service = '', pattern = '', replacement = ''] = parts;
  return Buffer.concat([
    numbers([order, preference]),
    ...[flags, service, pattern].map(characters),
    domainName(replacement),
  ]);
}

const numbers = (values: readonly string[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    bytes.writeUInt16BE(Number(value), i * 2);
  });
  return bytes;
};

const characters = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

const domainName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .map(characters),
    Buffer.from([0]),
  ]);
