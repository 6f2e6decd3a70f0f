const PINGREQ = 0xc0;
/** First byte of a PUBLISH that is not retained: type 3, without the bits for a repetition and QoS. */
const PUBLISH = 0x30;
const REPEATED = 0x08;
const QOS_1 = 0x02;

/** The answer to PINGREQ (MQTT 3.1.1 section 3.13). */
export const PINGRESP: Buffer = Buffer.from([0xd0, 0]);

/**
 * Whether these bytes, which begin with a packet, are one PINGREQ and nothing more (section 3.12).
 */
export const isPing = (chunk: Uint8Array): boolean =>
  chunk.length === 2 && chunk[0] === PINGREQ && chunk[1] === 0;

/** The answer to a PUBLISH with QoS 1 (section 3.4). */
export const pubAck = (packetId: number): Buffer => Buffer.from([0x40, 2, packetId >> 8, packetId & 0xff]);

export interface SoleMessage {
  /** A view of the chunk, not a copy. */
  readonly payload: Buffer;
  /** With QoS 1. */
  readonly packetId: number | undefined;
}

/**
 * The message on `topic`, not retained, with QoS 0 or 1, if the bytes, which begin with a packet, are that message and
 * nothing more (sections 2.2.3 and 3.3). Undefined for everything else.
 */
export function soleMessage(chunk: Buffer, topic: Buffer): SoleMessage | undefined {
  const [first = 0] = chunk;
  const acknowledged = (first & QOS_1) !== 0;
  if ((first & ~(acknowledged ? REPEATED | QOS_1 : 0)) !== PUBLISH) return undefined;
  let [at, length, weight] = [1, 0, 1];
  for (let more = true; more; weight *= 128) {
    const byte = chunk[at++];
    if (byte === undefined || weight > 128 ** 3) return undefined;
    length += (byte & 0x7f) * weight;
    more = byte >= 0x80;
  }
  const id = at + 2 + topic.length;
  const from = acknowledged ? id + 2 : id;
  if (at + length !== chunk.length || from > chunk.length || chunk.readUInt16BE(at) !== topic.length)
    return undefined;
  if (chunk.compare(topic, 0, topic.length, at + 2, id) !== 0) return undefined;
  const packetId = acknowledged ? chunk.readUInt16BE(id) : undefined;
  // An id of 0 is a fault (section 2.3.1), which the broker answers as it does any.
  return packetId === 0 ? undefined : { payload: chunk.subarray(from), packetId };
}
