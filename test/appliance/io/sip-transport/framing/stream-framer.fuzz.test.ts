import { expect, test } from 'vitest';
import { type Frame, StreamFramer } from '#appliance/io/sip-transport/index.ts';
import { random } from '#test/appliance/sip/auth/seeded.ts';

const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  'MESSAGE sip:a@b SIP/2.0\r\n',
  'SIP/2.0 200 OK\r\n',
  'Content-Length: 4\r\n',
  'Content-Length: 0\r\n\r\n',
  'l:3\r\n\r\nabc',
  'l: 5\r\n\r\nab\r\nc',
  'Content-Length: 99999999999\r\n',
  'Content-Length:\r\n 2\r\n\r\nxy',
  'X: y\r\n',
  'é',
];

const shown = (frames: Frame[]) =>
  frames.map((frame) => (frame.kind === 'message' ? frame.bytes.toString('latin1') : JSON.stringify(frame)));

test('2,000 random streams: however they are cut, the frames are the same', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const next = random(seed);
    const stream = Buffer.from(
      Array.from({ length: next(30) }, () => PIECES[next(PIECES.length)]).join(''),
      'latin1',
    );
    if (stream.length > 0 && next(3) === 0) stream[next(stream.length)] = next(256);
    const limits = { headerBytes: 80, bodyBytes: 4 + next(3) };
    const whole = shown(new StreamFramer(limits).push(stream));
    const pieces = new StreamFramer(limits);
    const frames: Frame[] = [];
    for (let at = 0; at < stream.length; ) {
      const size = 1 + next(7);
      frames.push(...pieces.push(stream.subarray(at, at + size)));
      at += size;
    }
    expect({ seed, frames: shown(frames) }).toEqual({ seed, frames: whole });
    const carried = frames.reduce(
      (sum, frame) => sum + (frame.kind === 'message' ? frame.bytes.length : 0),
      0,
    );
    expect(carried).toBeLessThanOrEqual(stream.length);
  }
});
