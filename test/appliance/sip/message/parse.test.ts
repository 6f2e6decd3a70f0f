import { describe, expect, it } from 'vitest';
import { isSip, parseMessage, responseTo, type SipRequest } from '#appliance/sip/message/index.ts';

const source = { address: '192.0.2.9', port: 5099 };
const lines = (...text: string[]): Buffer => Buffer.from(text.join('\r\n'), 'utf8');

const MESSAGE = [
  'MESSAGE sip:receiver@arc.example SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKa1;rport, SIP/2.0/TCP first.example;branch=z9hG4bKa0',
  'v: SIP/2.0/UDP [2001:db8::9]:5062;received=2001:db8::9',
  'Max-Forwards: 70',
  'f: "Anna \\"A\\" Ö" <sip:unit%231@tenant.example;transport=udp>;tag=88',
  't: <sip:receiver@arc.example>',
  'i: abc@192.0.2.1',
  'CSeq: 17 MESSAGE',
  'c: Application/SCAIP+XML ; charset=utf-8',
  'Subject: folded',
  '   value',
  'k: timer, 100rel',
  'Supported: path',
  'X-Own: one',
  'x-own: two, three',
  'l: 5',
  '',
  'hello',
];

function request(...text: string[]): SipRequest {
  const parsed = parseMessage(lines(...text));
  if (!parsed.ok || parsed.value.kind !== 'request')
    throw new Error(`not a request: ${JSON.stringify(parsed)}`);
  return parsed.value;
}

describe('parseMessage', () => {
  it('reads the fields a transaction needs, in full and compact form', () => {
    const message = request(...MESSAGE);
    expect(message.method).toBe('MESSAGE');
    expect(message.topVia).toMatchObject({
      transport: 'UDP',
      host: '192.0.2.1',
      port: 5060,
      branch: 'z9hG4bKa1',
      rport: 0,
      sentBy: '192.0.2.1:5060',
    });
    const vias = message.vias.ok ? message.vias.value : [];
    expect(vias.map((via) => via.host)).toEqual(['192.0.2.1', 'first.example', '[2001:db8::9]']);
    expect(vias[2]).toMatchObject({ received: '2001:db8::9', port: 5062, rport: undefined });
    expect(message.from.display).toBe('Anna "A" Ö');
    expect(message.from.tag).toBe('88');
    expect(message.to.tag).toBeUndefined();
    const uri = message.from.uri.ok ? message.from.uri.value : undefined;
    expect(uri && isSip(uri) ? uri.user : undefined).toBe('unit#1');
    expect(message.callId).toBe('abc@192.0.2.1');
    expect(message.cseq).toEqual({ seq: 17, method: 'MESSAGE' });
    expect(message.maxForwards).toBe(70);
    expect(message.contentType).toBe('application/scaip+xml');
    expect(message.body.toString()).toBe('hello');
    expect(message.header('subject')?.replaceAll(/ +/g, ' ')).toBe('folded value');
    expect(message.list('Supported')).toEqual(['timer', '100rel', 'path']);
    expect(message.headers('X-OWN')).toEqual(['one', 'two, three']);
    expect(message.header('X-Ow')).toBeUndefined();
  });

  it('keeps the body a view on the datagram and drops what stands behind it', () => {
    const bytes = lines(...MESSAGE.slice(0, -1), 'helloGARBAGE');
    const parsed = parseMessage(bytes);
    if (!parsed.ok) throw new Error('malformed');
    expect(parsed.value.body.toString()).toBe('hello');
    expect(parsed.value.body.buffer).toBe(bytes.buffer);
  });

  it('takes a datagram without Content-Length to its end', () => {
    expect(request(...MESSAGE.filter((line) => line !== 'l: 5')).body.toString()).toBe('hello');
  });

  it('finds fields beyond the first 4 kB', () => {
    const filler = Array.from({ length: 80 }, (_, i) => `X-Filler-${i}: ${'x'.repeat(90)}`);
    const message = request(...MESSAGE.slice(0, 4), ...filler, ...MESSAGE.slice(4));
    expect(message.body.toString()).toBe('hello');
    expect(message.header('X-Filler-79')).toHaveLength(90);
  });

  it.each([
    ['CRLF and a space', '\r\n '],
    ['CRLF and a tab', '\r\n\t'],
    ['LF and a space', '\n '],
    ['two folds', '\r\n \r\n  '],
    ['two bare folds', '\n\t\n '],
  ])('takes every value that begins behind %s, and ends in a fold', (_, fold) => {
    const named = MESSAGE.map((line, n) =>
      n === 0 ? line : line.replace(/^([\w-]+): (.*)$/, `$1:${fold}$2${fold}`),
    );
    const folded = request(...named);
    const plain = request(...MESSAGE);
    expect([folded.callId, folded.cseq, folded.contentType, folded.maxForwards]).toEqual([
      plain.callId,
      plain.cseq,
      plain.contentType,
      plain.maxForwards,
    ]);
    expect(folded.body.toString()).toBe('hello');
    expect(folded.topVia.sentBy).toBe(plain.topVia.sentBy);
    expect(folded.from.uriText).toBe(plain.from.uriText);
    expect(folded.headers('X-OWN')).toEqual(['one', 'two, three']);
    const answer = responseTo(folded, source, { status: 200 }).toString();
    expect(answer).toContain('\r\nCall-ID: abc@192.0.2.1\r\nCSeq: 17 MESSAGE\r\n');
  });

  it('takes lines that end in LF alone', () => {
    const parsed = parseMessage(Buffer.from(MESSAGE.join('\n')));
    expect(parsed.ok && parsed.value.body.toString()).toBe('hello');
  });

  it.each([
    ['INVITE', 'l: 0', '\r\n'],
    ['INVITE', 'X-Last: field', ''],
    ['REGISTER', 'l: 0', ''],
    ['MESSAGE', 'l: 0', '\r\n'],
  ])('takes the end of a datagram as the end of the fields: %s that ends in "%s%s"', (method, last, end) => {
    const text = MESSAGE.join('\r\n').replaceAll('MESSAGE', method);
    const unended = text.slice(0, text.indexOf('\r\n\r\n')).replace('l: 5', last) + end;
    const parsed = parseMessage(Buffer.from(unended));
    if (!parsed.ok || parsed.value.kind !== 'request') throw new Error('it is refused');
    expect([parsed.value.method, parsed.value.body.length]).toEqual([method, 0]);
    expect(parsed.value.warnings).toEqual(['sip:lineEnd']);
    expect(parseMessage(Buffer.from(unended), { framing: 'frame' }).ok).toBe(true);
    expect(parseMessage(Buffer.from(unended), { framing: 'stream' }).ok).toBe(method === 'MESSAGE');
  });

  it.each([
    ['CR inside a field', (text: string) => text.replace('X-Own: one', 'X-Own: o\rne'), 'Malformed'],
    ['line over 8 kB', (text: string) => text.replace('one', 'o'.repeat(9_000)), 'TooLarge'],
    [
      '129 fields',
      (text: string) => text.replace('X-Own: one', 'X-Own: one\r\n'.repeat(130).trim()),
      'TooLarge',
    ],
    ['body over 256 kB by its length field', (text: string) => text.replace('l: 5', 'l: 262145'), 'TooLarge'],
    ['length over the datagram', (text: string) => text.replace('l: 5', 'l: 6'), 'Malformed'],
    ['negative length', (text: string) => text.replace('l: 5', 'l: -5'), 'Malformed'],
    [
      'no empty line in front of a body that does not come',
      (text: string) => text.slice(0, text.indexOf('\r\n\r\n')),
      'Malformed',
    ],
    ['other version', (text: string) => text.replace('SIP/2.0', 'SIP/7.0'), 'UnknownVersion'],
    ['two Call-IDs', (text: string) => text.replace('X-Own: one', 'Call-ID: other'), 'Malformed'],
    ['line without colon', (text: string) => text.replace('X-Own: one', 'X-Own one'), 'Malformed'],
  ])('refuses %s and keeps what an answer needs', (_, spoil, code) => {
    // A MESSAGE would be repaired.
    const strict = MESSAGE.join('\r\n').replaceAll('MESSAGE', 'OPTIONS');
    const parsed = parseMessage(Buffer.from(spoil(strict)));
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.error.code).toBe(code);
    const { kept } = parsed.error;
    if (kept === undefined) throw new Error('nothing kept');
    const answer = parseMessage(responseTo(kept, source, { status: 400, toTag: 'ours' }));
    if (!answer.ok || answer.value.kind !== 'response') throw new Error('the answer itself is malformed');
    expect(answer.value.status).toBe(400);
    expect(answer.value.callId).toBe('abc@192.0.2.1');
    expect(answer.value.topVia.branch).toBe('z9hG4bKa1');
    expect(answer.value.to.tag).toBe('ours');
  });

  it('refuses a datagram over 64 kB before reading it', () => {
    const parsed = parseMessage(Buffer.alloc(65_537, 0x20));
    expect(parsed).toMatchObject({ ok: false, error: { code: 'TooLarge', path: 'size' } });
  });

  it('takes a WebSocket message of more than 64 kB, with or without its length', () => {
    const bytes = lines(...MESSAGE.filter((line) => line !== 'l: 5').slice(0, -1), 'x'.repeat(70_000));
    const parsed = parseMessage(bytes, { framing: 'frame' });
    expect(parsed).toMatchObject({ ok: true, value: { contentLength: 70_000 } });
  });

  it('refuses bytes behind the body on a stream', () => {
    const bytes = lines(...MESSAGE.slice(0, -1), 'hello!');
    expect(parseMessage(bytes, { framing: 'stream' }).ok).toBe(false);
    expect(parseMessage(bytes.subarray(0, -1), { framing: 'stream' }).ok).toBe(true);
  });
});

describe('a control sign in a header field of a MESSAGE', () => {
  const [TAB, LF, CR, SPACE, DELETE] = [0x09, 0x0a, 0x0d, 0x20, 0x7f];
  const others = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== LF && byte !== CR);

  it('is left out with a warning, and every other sign is kept', () => {
    const wrong = others.filter((byte) => {
      const bytes = lines(...MESSAGE);
      bytes[bytes.indexOf('path')] = byte;
      const parsed = parseMessage(bytes);
      if (!parsed.ok || parsed.value.kind !== 'request') return true;
      const isStray = byte === DELETE || (byte < SPACE && byte !== TAB);
      return parsed.value.warnings.length > 0 !== isStray || parsed.value.bytes.includes(byte, 0) === isStray;
    });
    expect(wrong).toEqual([]);
  });
});

it('each byte of a body counts in its hash, and so does its length', () => {
  const hashOf = (body: Buffer) => {
    const head = lines(...MESSAGE.slice(0, -3), `l: ${body.length}`, '', '');
    const parsed = parseMessage(Buffer.concat([head, body]));
    if (!parsed.ok) throw new Error(parsed.error.reason);
    return parsed.value.bodyHash;
  };
  const body = Buffer.from('<mrq><cid>1</cid></mrq>');
  const bodies = [...body.keys()].flatMap((at) =>
    [0x01, 0x20, 0x80].map((bit) => Buffer.from(body.map((byte, i) => (i === at ? byte ^ bit : byte)))),
  );
  const hashes = new Set([body, ...bodies, Buffer.concat([body, Buffer.of(0)])].map(hashOf));
  expect(hashes.size).toBe(bodies.length + 2);
});
