import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { AesCbc } from '#appliance/alarm/protocol/dc09/index.ts';

/** AES-CBC of the system; the padding is the protocol's own. Undefined: key, vector or length cannot be. */
export const aesCbc: AesCbc = {
  encrypt: (key, iv, plain) => run(() => createCipheriv(nameOf(key), key, iv), plain),
  decrypt: (key, iv, cipher) => run(() => createDecipheriv(nameOf(key), key, iv), cipher),
};

const nameOf = (key: Uint8Array): string => `aes-${key.length * 8}-cbc`;

function run(
  make: () => ReturnType<typeof createCipheriv> | ReturnType<typeof createDecipheriv>,
  bytes: Uint8Array,
): Uint8Array | undefined {
  try {
    const cipher = make().setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  } catch {
    return undefined;
  }
}
