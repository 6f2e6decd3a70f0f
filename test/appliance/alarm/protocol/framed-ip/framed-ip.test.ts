import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CRC_TABLE,
  crc16,
  encodeFrame,
  FrameReader,
  hex4,
  MAX_FRAME_BYTES,
  readDatagram,
} from '#appliance/alarm/protocol/framed-ip/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { dice } from '../../random.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';

const file = join(import.meta.dirname, '../../../../vectors/alarm/dc09.json');
const { crc } = JSON.parse(readFileSync(file, 'utf8')) as {
  crc: { input: string; value: string; tableIndex100: string };
};

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (body: Uint8Array) => Buffer.from(body).toString('latin1');
const BODY = '"NULL"0000L0#1234[]';
const FRAME = encodeFrame(bytes(BODY));
/** The same frame with its CRC as two raw bytes. */
const binaryFrame = (body: string) => {
  const value = crc16(bytes(body));
  return Buffer.concat([Buffer.of(0x0a, value >> 8, value & 0xff), bytes(`${hex4(body.length)}${body}\r`)]);
};

/** Frames that a reader finds when the stream arrives in pieces of `size`. */
function read(stream: Uint8Array, size: number) {
  const reader = new FrameReader();
  const found = [];
  for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)));
  return found.map((one) => (one.kind === 'frame' ? text(one.frame.body) : one.why));
}

describe('CRC', () => {
  it('is the one of the vectors', () => {
    expect(hex4(crc16(bytes(crc.input)))).toBe(crc.value);
    expect(hex4(CRC_TABLE[100] ?? 0)).toBe(crc.tableIndex100);
  });
});

describe('frame reader', () => {
  it.each([1, 2, 3, 7, 4096])('finds frames in pieces of %i bytes, whatever lies between', (size) => {
    const stream = Buffer.concat([bytes('\r\n\r\nhello'), FRAME, FRAME, bytes('\n'), FRAME]);
    expect(read(stream, size).filter((one) => one !== 'head')).toEqual([BODY, BODY, BODY]);
  });

  it('reads lower case', () => {
    expect(read(bytes(text(FRAME).replace(/^\n\w{8}/, (head) => head.toLowerCase())), 1)).toEqual([BODY]);
  });

  it('reads raw CRC bytes of every value, line ends too', () => {
    const seen = new Set<number>();
    for (let n = 0; n < 4000; n++) {
      const body = `"NULL"0000L0#${n.toString(16)}[]`;
      const value = crc16(bytes(body));
      seen.add(value >> 8).add(0x100 | (value & 0xff));
      expect(read(binaryFrame(body), 1)).toEqual([body]);
    }
    expect([0x0a, 0x0d, 0x22, 0x10a, 0x10d, 0x122].every((value) => seen.has(value))).toBe(true);
  });

  it('says that the length is wrong and gives the frame', () => {
    const [found] = readDatagram(bytes(text(FRAME).replace('0013"', '0099"')));
    expect(found).toMatchObject({ kind: 'frame', frame: { lengthOk: false, crcForm: 'hex' } });
  });

  it('gives no frame for a wrong CRC', () => {
    expect(read(bytes(text(FRAME).replace('1234', '1235')), 5)).toEqual(['crc']);
  });

  it('finds the whole frame behind a torn one', () => {
    const torn = FRAME.subarray(0, FRAME.length - 3);
    expect(read(Buffer.concat([torn, FRAME, FRAME]), 4)).toEqual(['crc', BODY, BODY]);
    expect(read(Buffer.concat([torn, binaryFrame(BODY)]), 4)).toEqual(['crc', BODY]);
    // Torn within its head.
    expect(read(Buffer.concat([FRAME.subarray(0, 4), FRAME]), 4)).toEqual(['head', BODY]);
  });

  it('holds one frame at most', () => {
    const long = bytes(`\n12340013"${'x'.repeat(3 * MAX_FRAME_BYTES)}`);
    expect(read(Buffer.concat([long, FRAME]), 1000)).toEqual(['tooLong', BODY]);
  });

  it.each([
    ['no LF', FRAME.subarray(1), [BODY]],
    ['noise and no LF', Buffer.concat([Buffer.from('xyz'), FRAME.subarray(1)]), [BODY]],
    ['an LF in place of CR', Buffer.concat([FRAME.subarray(0, -1), Buffer.from('\n')]), [BODY]],
    ['no CR before the next one', Buffer.concat([FRAME.subarray(0, -1), FRAME]), [BODY, BODY]],
    [
      'three without CR',
      Buffer.concat([FRAME.subarray(0, -1), FRAME.subarray(0, -1), FRAME]),
      [BODY, BODY, BODY],
    ],
    ['a torn one between two', Buffer.concat([FRAME, FRAME.subarray(0, 14), FRAME]), [BODY, 'crc', BODY]],
  ])('with %s is found, in one piece and byte by byte', (_, stream, expected) => {
    for (const size of [stream.length, 1]) {
      const reader = new FrameReader();
      const found: string[] = [];
      const note = (outcomes: ReturnType<FrameReader['end']>) => {
        for (const one of outcomes) found.push(one.kind === 'frame' ? text(one.frame.body) : one.why);
      };
      for (let at = 0; at < stream.length; at += size) note(reader.push(stream.subarray(at, at + size)));
      note(reader.end());
      expect(found).toEqual(expected);
    }
  });

  it('two without a CR between are two, although one CRC in 65,536 is right for both together', () => {
    const frames =
      '\n513D0036"SIA-DCS"3051R4L0#1234[#1234|Nri1/BA680^hall^][V#1234]' +
      '\nEA8B0040"SIA-DCS"9999L0#1234[#1234|Nri1/BA263^hall^]_05:58:44,07-22-2047\r';
    expect(new FrameReader().push(bytes(frames))).toMatchObject([
      { kind: 'frame', frame: { lengthOk: true } },
      { kind: 'frame', frame: { lengthOk: true } },
    ]);
  });

  it('without its CR is none when its length is wrong: a torn one may have a right CRC by chance', () => {
    const reader = new FrameReader();
    reader.push(bytes('\n45F20043"SIA-DCS"0771L'));
    expect(reader.end()).toMatchObject([{ kind: 'broken', why: 'unfinished' }]);
  });

  it('has not begun by noise between frames', () => {
    const reader = new FrameReader();
    reader.push(Buffer.from('noise of a modem'));
    expect(reader.unfinished).toBe(false);
  });

  it('reports that a frame has begun', () => {
    const reader = new FrameReader();
    reader.push(FRAME.subarray(0, 5));
    expect(reader.unfinished).toBe(true);
    reader.push(FRAME.subarray(5));
    expect(reader.unfinished).toBe(false);
  });
});

describe('datagram', () => {
  it('holds whole frames, also one without its LF or CR', () => {
    expect(readDatagram(FRAME)).toMatchObject([{ kind: 'frame', frame: { lengthOk: true } }]);
    expect(readDatagram(FRAME.subarray(0, -1))).toMatchObject([{ kind: 'frame', frame: { lengthOk: true } }]);
    expect(readDatagram(FRAME.subarray(1))).toMatchObject([{ kind: 'frame', frame: { lengthOk: true } }]);
    expect(readDatagram(FRAME.subarray(0, -2))).toMatchObject([{ kind: 'broken', why: 'unfinished' }]);
    expect(readDatagram(new Uint8Array())).toEqual([]);
  });
});

describe('hostile input', () => {
  const count = rounds(5_000, 20_000);
  it(`${count} broken streams: no throw, at most 5 ms, and a good frame behind them is found`, () => {
    const seeds = [text(FRAME), text(Buffer.concat([FRAME, binaryFrame(BODY)]))];
    const snippets = ['\n', '\r', '"', '\n\r', text(FRAME), '0000'];
    let found = 0;
    const slow = slowOnes(brokenForms(seeds, snippets, { seed: 909, count }), (stream) => {
      const reader = new FrameReader();
      reader.push(bytes(stream));
      // Two: the first may end what the stream began.
      const last = [...reader.push(FRAME), ...reader.push(FRAME)].at(-1);
      if (last?.kind === 'frame' && text(last.frame.body) === BODY) found++;
    });
    expect(slow).toEqual([]);
    expect(found).toBeGreaterThanOrEqual(count);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['quotes', '"'],
    ['heads', '\n12340013"'],
    ['short frames', '\n12340013"\r'],
    ['frames within frames', '\n12340013"aaaaaaaaaaaaaaaa'],
    ['long lines', `\n12340013"${'\n'.repeat(4000)}\r`],
  ])('64 KiB of %s: at most 5 ms', (_, unit) => {
    const stream = bytes(unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536));
    const run = () => new FrameReader().push(stream);
    run();
    expect(fastestMs(run)).toBeLessThan(5);
  });

  it('noise never makes a frame that encodeFrame would not', () => {
    const random = dice(7);
    const noise = Uint8Array.from({ length: 200_000 }, () => Math.floor(random() * 256));
    for (const one of new FrameReader().push(noise)) {
      if (one.kind === 'frame') expect(crc16(one.frame.body)).toBe(one.frame.crc);
    }
  });
});
