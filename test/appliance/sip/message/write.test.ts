import { describe, expect, it } from 'vitest';
import {
  parseMessage,
  reasonOf,
  responseTo,
  type SipMessage,
  writeRequest,
  writeResponse,
} from '#appliance/sip/message/index.ts';

const headers = [
  ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKw'],
  ['From', '"Åsa" <sip:a@b>;tag=1'],
  ['To', '<sip:c@d>'],
  ['Call-ID', 'w1'],
  ['CSeq', '1 MESSAGE'],
] as const;
const request = { method: 'MESSAGE', uri: 'sip:c@d', headers };

const read = (bytes: Buffer): SipMessage => {
  const parsed = parseMessage(bytes);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
};

describe('writeRequest', () => {
  it('writes what parseMessage reads, text as UTF-8 and any body byte for byte', () => {
    const body = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256);
    const message = read(writeRequest({ ...request, body }));
    expect(message.from.display).toBe('Åsa');
    expect(message.header('Content-Length')).toBe('20000');
    expect(message.body.equals(body)).toBe(true);
  });

  it('writes messages side by side without one touching the other', () => {
    const written = Array.from({ length: 200 }, (_, i) =>
      writeRequest({ ...request, body: Buffer.from(`body ${i}`) }),
    );
    expect(written.map((bytes) => read(bytes).body.toString())).toEqual(written.map((_, i) => `body ${i}`));
  });

  it.each([
    ['CR in a value', { ...request, headers: [...headers, ['Subject', 'a\rb'] as const] }],
    ['LF in a value', { ...request, headers: [...headers, ['Subject', 'a\nVia: x'] as const] }],
    ['NUL in a value', { ...request, headers: [...headers, ['Subject', 'a\0b'] as const] }],
    ['LF in a name', { ...request, headers: [...headers, ['Sub\nject', 'a'] as const] }],
    ['a space in a name', { ...request, headers: [...headers, ['Sub ject', 'a'] as const] }],
    ['an empty name', { ...request, headers: [...headers, ['', 'a'] as const] }],
    ['LF in the URI', { ...request, uri: 'sip:a\n@b' }],
    ['a space in the URI', { ...request, uri: 'sip:a @b' }],
    ['an empty URI', { ...request, uri: '' }],
    ['a space in the method', { ...request, method: 'A B' }],
  ])('refuses %s', (_, wrong) => {
    expect(() => writeRequest(wrong)).toThrow(TypeError);
  });
});

describe('writeResponse', () => {
  it.each([
    ['LF in the reason', { status: 200, reason: 'OK\nX: y', headers }],
    ['a status below 100', { status: 99, reason: '', headers }],
    ['a status above 699', { status: 700, reason: '', headers }],
    ['a status that is no integer', { status: 200.5, reason: '', headers }],
  ])('refuses %s', (_, wrong) => {
    expect(() => writeResponse(wrong)).toThrow(TypeError);
  });

  it('writes an empty reason phrase', () => {
    expect(read(writeResponse({ status: 200, reason: '', headers }))).toMatchObject({
      status: 200,
      reason: '',
    });
  });
});

describe('responseTo', () => {
  const source = { address: '2001:db8::7', port: 6_000 };
  const ask = (...lines: string[]): SipMessage =>
    read(Buffer.from(['OPTIONS sip:c@d SIP/2.0', ...lines, '', ''].join('\r\n'), 'latin1'));

  it('returns every byte of From, To, Call-ID and CSeq as it came, whatever it was', () => {
    const odd = ask(
      'Via: SIP/2.0/UDP [2001:db8::7]:6000;branch=z9hG4bKr;own="a;b"',
      'From: "\xe9\\\0" <sip:a@b>;tag=1;x',
      'To:   <sip:c@d>;y',
      'Call-ID: \xff',
      'CSeq: 001 OPTIONS',
    );
    const text = responseTo(odd, source, { status: 200, toTag: 'T' }).toString('latin1');
    expect(text.split('\r\n')).toEqual([
      'SIP/2.0 200 OK',
      'Via: SIP/2.0/UDP [2001:db8::7]:6000;branch=z9hG4bKr;own="a;b"',
      'From: "\xe9\\\0" <sip:a@b>;tag=1;x',
      'To: <sip:c@d>;y;tag=T',
      'Call-ID: \xff',
      'CSeq: 001 OPTIONS',
      'Content-Length: 0',
      '',
      '',
    ]);
  });

  it('stamps the top Via only and keeps a To tag that is there', () => {
    const message = ask(
      'Via: SIP/2.0/UDP h1;branch=z9hG4bKr;received=1.1.1.1;rport=1, SIP/2.0/TCP h2;rport',
      'From: <sip:a@b>;tag=1',
      'To: <sip:c@d>;tag=theirs',
      'Call-ID: 1',
      'CSeq: 1 OPTIONS',
    );
    const response = read(responseTo(message, source, { status: 180, toTag: 'T' }));
    expect(response.header('Via')).toBe(
      'SIP/2.0/UDP h1;branch=z9hG4bKr;rport=6000;received=2001:db8::7, SIP/2.0/TCP h2;rport',
    );
    expect(response.to.tag).toBe('theirs');
  });

  it('writes no tag into 100, and never a folded line', () => {
    const message = ask(
      'Via: SIP/2.0/UDP',
      ' h1;branch=z9hG4bKr',
      'From: <sip:a@b>',
      ' ;tag=1',
      'To:',
      ' <sip:c@d>',
      'Call-ID: 1',
      'CSeq: 1',
      '\tOPTIONS',
    );
    const text = responseTo(message, source, { status: 100, toTag: 'T' }).toString();
    expect(text).not.toMatch(/\n[ \t]/);
    expect(read(Buffer.from(text)).to.tag).toBeUndefined();
  });

  it('knows a phrase for every code', () => {
    expect([reasonOf(200), reasonOf(483), reasonOf(299), reasonOf(699)]).toEqual([
      'OK',
      'Too Many Hops',
      'OK',
      'Busy Everywhere',
    ]);
  });
});
