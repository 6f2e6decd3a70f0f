import { createCipheriv } from 'node:crypto';
import type { SrtpCrypto } from '../../media/rtp/index.ts';
import { hmacSha1 } from '../../media/rtp/index.ts';

/**
 * AES of the system for SRTP: one cipher object per key for as long as the leg lives. Making one per packet would cost
 * more than everything else that is done to it.
 */
export const srtpCrypto: SrtpCrypto = {
  aesEcb: (key) => {
    const cipher = createCipheriv('aes-128-ecb', key, null);
    cipher.setAutoPadding(false);
    return (blocks) => cipher.update(blocks);
  },
  hmacSha1,
};
