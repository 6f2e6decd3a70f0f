import type { CutFrame, FrameCutter, FrameProtocol } from '#appliance/alarm/protocol/index.ts';
import { toyEvent } from './index.ts';

const [STX, ETX, ACK] = [0x02, 0x03, 0x06];
const MOST_BYTES = 64;

/** `STX text ETX`; what is longer than 64 bytes is broken. */
function cutter(): FrameCutter<Uint8Array> {
  let bytes: number[] | undefined;
  return {
    get unfinished() {
      return bytes !== undefined;
    },
    push(chunk) {
      const found: CutFrame<Uint8Array>[] = [];
      for (const byte of chunk) {
        if (byte === STX) bytes = [];
        else if (byte === ETX && bytes !== undefined) {
          found.push({ kind: 'frame', frame: Uint8Array.from(bytes) });
          bytes = undefined;
        } else if (bytes !== undefined && bytes.push(byte) > MOST_BYTES) {
          found.push({ kind: 'broken', why: 'tooLong', bytes: MOST_BYTES });
          bytes = undefined;
        }
      }
      return found;
    },
    end: () => (bytes === undefined ? [] : [{ kind: 'broken', why: 'unfinished', bytes: bytes.length }]),
  };
}

/** A protocol of frames that no device speaks, as a contributor would add one: `toy UNIT NUMBER` is answered by ACK and the number. */
export const FRAMED_TOY: FrameProtocol = {
  name: 'framedToy',
  cutter,
  read(bytes) {
    const text = Buffer.from(bytes).toString('latin1');
    const [, unit = '', number = ''] = /^toy (\w+) (\d+)$/.exec(text) ?? [];
    if (unit === '') return undefined;
    return {
      address: `toy#${unit}`,
      controllerId: unit,
      text,
      repeatMs: 60_000,
      withinMs: 10_000,
      event: () => toyEvent('framedToy', text, { unit, number }),
      answer: () => Buffer.from([ACK, ...Buffer.from(number)]),
    };
  },
};
