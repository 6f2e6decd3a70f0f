import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const PORT = 123;
const BYTES = 48;
/** Seconds from 1900 to 1970 (RFC 5905 6). */
const NTP_EPOCH_S = 2_208_988_800;

/**
 * A time server (RFC 5905 7.3) of stratum 3 whose clock is `aheadMs` before that of this machine: for clocks that have drifted apart
 * while no source could set them. Listens on the wildcard address of its network; resolves to what ends it.
 */
export async function aheadServer(aheadMs: number): Promise<() => Promise<void>> {
  const socket = createSocket('udp4');
  const stamp = (to: Buffer, at: number): void => {
    const ms = Date.now() + aheadMs;
    to.writeUInt32BE(Math.floor(ms / 1_000) + NTP_EPOCH_S, at);
    to.writeUInt32BE(Math.floor(((ms % 1_000) / 1_000) * 2 ** 32), at + 4);
  };
  socket.on('message', (question, from) => {
    if (question.length < BYTES) return;
    const answer = Buffer.alloc(BYTES);
    // No leap second, version of the question, mode 4 (server); stratum, poll, precision of a millisecond.
    answer.writeUInt8((question.readUInt8(0) & 0b0011_1000) | 4, 0);
    answer.writeUInt8(3, 1);
    answer.writeUInt8(question.readUInt8(2), 2);
    answer.writeInt8(-10, 3);
    answer.writeUInt32BE(66, 8);
    answer.writeUInt32BE(0xc0000201, 12);
    stamp(answer, 16);
    question.copy(answer, 24, 40, 48);
    stamp(answer, 32);
    stamp(answer, 40);
    socket.send(answer, from.port, from.address);
  });
  socket.bind(PORT);
  await once(socket, 'listening');
  return async () => {
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  };
}
