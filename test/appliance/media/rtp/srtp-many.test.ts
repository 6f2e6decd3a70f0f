import { createCipheriv } from 'node:crypto';
import { expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  type AesEcb,
  hmacSha1,
  MASTER_BYTES,
  SrtpReceiver,
  SrtpSender,
  type SrtpSuite,
  TAG_BYTES,
  writeRtpHeader,
} from '#appliance/media/rtp/index.ts';

const LEGS = 1_000;
const PACKETS = 60;
const BYTES = 172;
const SUITES = Object.keys(TAG_BYTES) as SrtpSuite[];
const aesEcb: AesEcb = (key) => {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  cipher.setAutoPadding(false);
  return (blocks) => cipher.update(blocks);
};

it('a thousand legs in turn, with loss, packets that change places and the wrap of the number: none is refused', () => {
  const random = new NoiseSource(31);
  const below = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
  const legs = Array.from({ length: LEGS }, (_, n) => {
    const suite = SUITES[n % SUITES.length] ?? 'AES_CM_128_HMAC_SHA1_80';
    const master = Uint8Array.from({ length: MASTER_BYTES }, () => below(256));
    const crypto = { aesEcb, hmacSha1 };
    return {
      sender: new SrtpSender(suite, master, crypto),
      receiver: new SrtpReceiver(suite, master, crypto),
      // Every other one wraps on its way, after some packets of its first round.
      first: n % 2 === 0 ? below(32_768) : 65_536 - 10 - below(40),
      late: undefined as Uint8Array | undefined,
    };
  });
  const results = new Map<number, number>();
  const take = (receiver: SrtpReceiver, bytes: Uint8Array): void => {
    const length = receiver.unprotect(bytes, bytes.length);
    results.set(length, (results.get(length) ?? 0) + 1);
  };
  let sent = 0;
  for (let n = 0; n < PACKETS; n++)
    for (const [ssrc, leg] of legs.entries()) {
      const bytes = new Uint8Array(BYTES + 10);
      const sequence = (leg.first + n) & 0xffff;
      writeRtpHeader(bytes, { marker: n === 0, payloadType: 8, sequence, timestamp: n * 160, ssrc });
      const packet = bytes.subarray(0, leg.sender.protect(bytes, BYTES));
      if (n > 0 && below(20) === 0) continue;
      sent++;
      const held = leg.late;
      leg.late = undefined;
      if (n > 0 && n < PACKETS - 1 && held === undefined && below(10) === 0) leg.late = packet;
      else take(leg.receiver, packet);
      if (held !== undefined) take(leg.receiver, held);
    }
  for (const { receiver, late } of legs) if (late !== undefined) take(receiver, late);
  expect(Object.fromEntries(results)).toEqual({ [BYTES]: sent });
  expect(sent).toBeGreaterThan(0.9 * LEGS * PACKETS);
});
