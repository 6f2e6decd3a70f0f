import { describe, expect, test } from 'vitest';
import { type Frame, StreamFramer } from '#appliance/io/sip-transport/index.ts';

const LIMITS = { headerBytes: 65_536, bodyBytes: 262_144 };

const message = (length: string, body = '', line = 'MESSAGE sip:scaip@a.test SIP/2.0') =>
  `${line}\r\nVia: SIP/2.0/TCP a.test;branch=z9hG4bK1\r\n${length}\r\n\r\n${body}`;

/** Frames as text, so that a table of them can be read. */
const shown = (frames: Frame[]): string[] =>
  frames.map((frame) =>
    frame.kind === 'message' ? frame.bytes.toString('latin1') : frame.kind === 'fault' ? frame.fault : 'ping',
  );

const pushed = (text: string, size = text.length): string[] => {
  const framer = new StreamFramer(LIMITS);
  const frames: Frame[] = [];
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) frames.push(...framer.push(bytes.subarray(at, at + size)));
  return shown(frames);
};

const header = message('Content-Length: 4', '');

describe('whole messages', () => {
  const one = message('Content-Length: 4', 'abcd');
  const two = message('l:0');
  const three = message('CONTENT-length \t:\r\n  7 ', 'a\r\n\r\nbc');

  test.each([1, 2, 3, 7, 50, 1_000])('three in a row and pings between, in pieces of %i bytes', (size) => {
    const stream = `\r\n\r\n${one}\r\n${two}\r\n\r\n\r\n\r\n${three}`;
    expect(pushed(stream, size)).toEqual(['ping', one, two, 'ping', 'ping', three]);
  });

  test.each([1, 7, 1_000])('lines that end in LF alone, also folded, in pieces of %i bytes', (size) => {
    const bare = (text: string) => text.replaceAll('\r\n', '\n');
    const folded = message('Content-Length:\n\t7\n ', '\n\nabcde');
    const stream = [bare(message('l: 3', 'abc')), folded, bare(two)];
    expect(pushed(stream.join(''), size)).toEqual(stream);
  });

  test('a body that looks like a message is a body', () => {
    const inner = message('Content-Length: 0');
    const outer = message(`Content-Length: ${inner.length}`, inner);
    expect(pushed(outer + two)).toEqual([outer, two]);
  });

  test('without Content-Length there is no body', () => {
    const bare = message('Subject: x');
    expect(pushed(bare + bare, 5)).toEqual([bare, bare]);
  });

  test('the same length twice is one length', () => {
    const twice = message('Content-Length: 2\r\nl: 2', 'ab');
    expect(pushed(twice)).toEqual([twice]);
  });

  test('a message handed out is not overwritten by what follows', () => {
    const framer = new StreamFramer(LIMITS);
    framer.push(Buffer.from(one.slice(0, 30)));
    const [first] = framer.push(Buffer.from(one.slice(30) + two.slice(0, 10)));
    framer.push(Buffer.from(two.slice(10)));
    expect(shown(first === undefined ? [] : [first])).toEqual([one]);
  });

  test('a half message is known as such, also after a whole one', () => {
    const framer = new StreamFramer(LIMITS);
    expect(framer.halfMessage).toBe(false);
    framer.push(Buffer.from('\r\n'));
    expect(framer.halfMessage).toBe(false);
    framer.push(Buffer.from(one + two.slice(0, 4)));
    expect(framer.halfMessage).toBe(true);
    framer.push(Buffer.from(two.slice(4)));
    expect(framer.halfMessage).toBe(false);
  });
});

describe('streams that cannot be read on', () => {
  test.each([
    ['a web browser', 'GET / HTTP/1.1\r\n', ['notSip']],
    ['a TLS handshake, by its first byte', '\x16', ['notSip']],
    ['a start-line without end', `MESSAGE sip:${'a'.repeat(9_000)}`, ['notSip']],
    [
      'header fields without end',
      `${message('X: 1').slice(0, -2)}${'X: 1\r\n'.repeat(12_000)}`,
      ['headerTooLarge'],
    ],
    [
      'a negative length',
      message('Content-Length: -999', 'ab'),
      [message('Content-Length: -999'), 'contentLength'],
    ],
    [
      'a length that is no number',
      message('Content-Length: 4x', 'abcd'),
      [message('Content-Length: 4x'), 'contentLength'],
    ],
    [
      'two different lengths',
      message('Content-Length: 4\r\nl: 0', 'abcd'),
      [message('Content-Length: 4\r\nl: 0'), 'contentLength'],
    ],
    [
      'a length of twenty digits',
      message('l: 99999999999999999999'),
      [message('l: 99999999999999999999'), 'contentLength'],
    ],
    [
      'a body above the limit',
      message('Content-Length: 262145', 'abcd'),
      [message('Content-Length: 262145'), 'bodyTooLarge'],
    ],
  ])('%s', (_name, stream, expected) => {
    expect(pushed(stream)).toEqual(expected);
    expect(pushed(stream, 11)).toEqual(expected);
  });

  test('nothing behind a fault is read', () => {
    const framer = new StreamFramer(LIMITS);
    framer.push(Buffer.from('GET / HTTP/1.1\r\n'));
    expect(framer.push(Buffer.from(message('l: 0')))).toEqual([]);
    expect(framer.halfMessage).toBe(false);
  });

  test('a header section of exactly the limit passes, one byte more does not', () => {
    const limits = { headerBytes: header.length, bodyBytes: 4 };
    expect(shown(new StreamFramer(limits).push(Buffer.from(`${header}abcd`)))).toEqual([`${header}abcd`]);
    expect(
      shown(
        new StreamFramer({ ...limits, headerBytes: header.length - 1 }).push(Buffer.from(`${header}abcd`)),
      ),
    ).toEqual(['headerTooLarge']);
  });
});

test('a message in 300,000 pieces costs as much as its bytes, not their square', () => {
  const body = 'x'.repeat(200_000);
  const long = message(`Subject: ${'y'.repeat(60_000)}\r\nContent-Length: ${body.length}`, body);
  const begun = performance.now();
  expect(pushed(long, 1)).toEqual([long]);
  // Quadratic work would be 60,000² / 2 = 1.8 billion steps in the header section alone.
  expect(performance.now() - begun).toBeLessThan(2_000);
});
