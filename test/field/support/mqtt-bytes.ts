/* MQTT 3.1.1 packets as bytes, for those that no library writes. */

/** A text with its length in two bytes (1.5.3). */
const field = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};

/** First byte, remaining length of one or two bytes, and the rest (2.2). */
export function packet(first: number, ...parts: readonly Buffer[]): Buffer {
  const rest = Buffer.concat(parts);
  const length =
    rest.length < 128 ? [rest.length] : [(rest.length % 128) | 0x80, Math.floor(rest.length / 128)];
  return Buffer.concat([Buffer.from([first, ...length]), rest]);
}

/** CONNECT of a clean session with user name and password (3.1). */
export const connectPacket = (clientId: string, password: string): Buffer =>
  packet(
    0x10,
    field('MQTT'),
    Buffer.from([4, 0b1100_0010, 0, 30]),
    field(clientId),
    field(clientId),
    field(password),
  );

/** PUBLISH of QoS 0 (3.3). */
export const publishPacket = (topic: string, payload: string): Buffer =>
  packet(0x30, field(topic), Buffer.from(payload));

/** SUBSCRIBE to one filter with QoS 1; `flags` are 2 by the standard (3.8). */
export const subscribePacket = (filter: string, flags = 2): Buffer =>
  packet(0x80 | flags, Buffer.from([0, 1]), field(filter), Buffer.from([1]));
