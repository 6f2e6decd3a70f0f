import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';

/** Keys of a browser, as a subscription of it gives them to the sender. */
export interface PushReceiver {
  /** Private key on P-256. */
  readonly privateKey: Uint8Array;
  /** Secret of 16 bytes. */
  readonly auth: Uint8Array;
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;

/** The text that a browser makes of a message (RFC 8291 4, RFC 8188 2); throws where the message is not for it. */
export function decryptPush(message: Uint8Array, { privateKey, auth }: PushReceiver): string {
  const bytes = Buffer.from(message);
  const salt = bytes.subarray(0, SALT_BYTES);
  const keyLength = bytes[SALT_BYTES + 4] ?? 0;
  const header = SALT_BYTES + 5 + keyLength;
  const sender = bytes.subarray(SALT_BYTES + 5, header);
  const own = createECDH('prime256v1');
  own.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, info, 32));
  const derived = (what: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, length));
  const cipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const record = Buffer.concat([cipher.update(bytes.subarray(header, -TAG_BYTES)), cipher.final()]);
  // The record ends with a delimiter and padding of zeros.
  return record.subarray(0, record.lastIndexOf(2)).toString('utf8');
}
