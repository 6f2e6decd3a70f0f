import { describe, expect, it } from 'vitest';
import { isPing, PacketMeter, pubAck, soleMessage } from '#shared/mqtt/index.ts';

const TOPIC = Buffer.from('carillon/1/00/t/s/u/up/hb');

/** MQTT 3.1.1 section 3.3: fixed header, topic, payload; `first` is the first byte of the fixed header. */
function publish(topic: Buffer, payload: Buffer, first = 0x30): Buffer {
  const packetId = (first & 0x06) === 0 ? Buffer.alloc(0) : Buffer.from([0, 7]);
  let left = 2 + topic.length + packetId.length + payload.length;
  const header = [first];
  do {
    const byte = left % 128;
    left = Math.floor(left / 128);
    header.push(left > 0 ? byte | 0x80 : byte);
  } while (left > 0);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(topic.length);
  return Buffer.concat([Buffer.from(header), length, topic, packetId, payload]);
}

describe('a chunk that is one message', () => {
  it.each([0, 1, 97, 98, 99, 100, 101, 400, 16_354, 16_355, 16_356, 16_357, 70_000])(
    'gives its payload of %i bytes, with QoS 1 also its id',
    (bytes) => {
      const payload = Buffer.alloc(bytes, 'p');
      expect(soleMessage(publish(TOPIC, payload), TOPIC)).toEqual({ payload, packetId: undefined });
      for (const first of [0x32, 0x3a])
        expect(soleMessage(publish(TOPIC, payload, first), TOPIC)).toEqual({ payload, packetId: 7 });
    },
  );

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a first byte alone', Buffer.from([0x30])],
    ['QoS 2', publish(TOPIC, Buffer.from('x'), 0x34)],
    ['QoS 3', publish(TOPIC, Buffer.from('x'), 0x36)],
    ['retained', publish(TOPIC, Buffer.from('x'), 0x31)],
    ['retained with QoS 1', publish(TOPIC, Buffer.from('x'), 0x33)],
    ['a repetition with QoS 0, which there is not', publish(TOPIC, Buffer.from('x'), 0x38)],
    ['QoS 1 without room for an id', publish(TOPIC, Buffer.alloc(0)).fill(0x32, 0, 1)],
    ['QoS 1 with the id 0', publish(TOPIC, Buffer.from([0, 0, 0x78]), 0x30).fill(0x32, 0, 1)],
    ['another topic', publish(Buffer.from('carillon/1/00/t/s/v/up/hb'), Buffer.from('x'))],
    ['a longer topic', publish(Buffer.from(`${TOPIC}/x`), Buffer.from('x'))],
    ['a shorter topic', publish(TOPIC.subarray(0, 20), Buffer.from('x'.repeat(30)))],
    ['two of them', Buffer.concat([publish(TOPIC, Buffer.from('x')), publish(TOPIC, Buffer.from('y'))])],
    ['the beginning of one', publish(TOPIC, Buffer.from('xyz')).subarray(0, -1)],
    ['a length without end', Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80])],
    ['a topic longer than the packet', Buffer.from([0x30, 3, 0xff, 0xff, 0x61])],
  ])('is not %s', (_, chunk) => {
    expect(soleMessage(chunk, TOPIC)).toBeUndefined();
  });

  it('is never found in bytes by chance that are not one', () => {
    // Each byte of a good packet set to each value: what is still taken has the same length and topic, and QoS 0.
    const good = publish(TOPIC, Buffer.from('payload'));
    const head = good.length - 'payload'.length;
    for (let at = 0; at < head; at++)
      for (let value = 0; value < 256; value++) {
        const bad = Buffer.from(good);
        bad[at] = value;
        // With QoS 1 the first two bytes of the payload are its id.
        const other = at === 0 && (value === 0x32 || value === 0x3a);
        expect(soleMessage(bad, TOPIC) !== undefined).toBe(value === good[at] || other);
      }
  });
});

it('acknowledges by the id', () => {
  expect([...pubAck(0x1234)]).toEqual([0x40, 2, 0x12, 0x34]);
});

it('knows a ping', () => {
  expect(isPing(Buffer.from([0xc0, 0]))).toBe(true);
  for (const bytes of [[0xc0], [0xc0, 1], [0xd0, 0], [0xc0, 0, 0xc0, 0]])
    expect(isPing(Buffer.from(bytes))).toBe(false);
});

it('knows when a stream stands between two packets', () => {
  const meter = new PacketMeter();
  const packet = publish(TOPIC, Buffer.alloc(200));
  const seen = [...packet].map((byte) => {
    meter.take(Buffer.from([byte]));
    return meter.between;
  });
  expect(seen.indexOf(true)).toBe(packet.length - 1);
  expect(new PacketMeter().between).toBe(true);
});
