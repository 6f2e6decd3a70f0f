import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';

/** Keys of a subscription, as the browser has made them (RFC 8291 3.1 and 3.2). */
export interface BrowserKeys {
  /** Point of P-256, uncompressed, 65 bytes; base64url. */
  readonly p256dh: string;
  /** Secret of 16 bytes; base64url. */
  readonly auth: string;
}

/** Random bytes of one message. No two messages share them. */
export interface MessageRandom {
  /** Private key on P-256, 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 16 bytes. */
  readonly salt: Uint8Array;
}

const CURVE = 'prime256v1';
const HASH = 'sha256';
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
/** Size of a record (RFC 8188 2.1): a message of ours is one record, and the last. */
const RECORD_BYTES = 4_096;
const LAST_RECORD = 2;

const derived = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number): Uint8Array =>
  new Uint8Array(hkdfSync(HASH, key, salt, info, length));

/**
 * A message for one browser, by `aes128gcm` (RFC 8291 3.4, RFC 8188 2): the push service that carries it cannot read it.
 * Throws where `p256dh` is no point of the curve.
 */
export function encryptPush(
  text: string,
  keys: BrowserKeys,
  { privateKey, salt }: MessageRandom,
): Uint8Array {
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const own = createECDH(CURVE);
  own.setPrivateKey(privateKey);
  const ownPublic = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, ownPublic]);
  const auth = Buffer.from(keys.auth, 'base64url');
  const secret = derived(own.computeSecret(browser), auth, info, SECRET_BYTES);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', KEY_BYTES);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', NONCE_BYTES);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  return Buffer.concat([
    ...[salt, size, Uint8Array.of(ownPublic.length), ownPublic],
    ...[cipher.update(text, 'utf8'), cipher.update(Uint8Array.of(LAST_RECORD)), cipher.final()],
    cipher.getAuthTag(),
  ]);
}

/** New random bytes for one message. */
export function messageRandom(random: (length: number) => Uint8Array): MessageRandom {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return { privateKey: pair.getPrivateKey(), salt: random(16) };
}
