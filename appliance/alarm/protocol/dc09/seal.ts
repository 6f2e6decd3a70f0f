import type { RandomBytes } from '#shared/id.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type Dc09Content, decodeContent } from './content.ts';
import { decodeText, encodeText } from './text.ts';

/** AES-CBC without padding of its own; key of 16, 24 or 32 bytes. Comes from `io`. undefined: cannot be done. */
export interface AesCbc {
  readonly encrypt: (key: Uint8Array, iv: Uint8Array, plain: Uint8Array) => Uint8Array | undefined;
  readonly decrypt: (key: Uint8Array, iv: Uint8Array, cipher: Uint8Array) => Uint8Array | undefined;
}

/** The functions that encryption needs from outside. */
export interface Sealing {
  readonly aes: AesCbc;
  readonly random: RandomBytes;
}

const BLOCK = 16;
/** DC-09 5.4.6.3: every frame begins with a vector of zeros; the padding in front keeps equal frames apart. */
const ZERO_VECTOR = new Uint8Array(BLOCK);
const HEX = /^(?:[0-9A-F]{32})+$/i;
const PADDING = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ab';

/** Opens the cipher text of a frame. Without its time the key is not that of the sender, and `WrongKey` says so. */
export function openContent(
  cipherHex: string,
  setting: { readonly key: Uint8Array; readonly withData: boolean },
  aes: AesCbc,
): Result<Dc09Content, Failure<'Malformed' | 'WrongKey'>> {
  if (!HEX.test(cipherHex)) return fail('Malformed', 'the cipher text is not hex in whole blocks');
  const plain = aes.decrypt(setting.key, ZERO_VECTOR, Buffer.from(cipherHex, 'hex'));
  const content = plain && unpad(decodeText(plain), setting.withData);
  return content === undefined
    ? fail('WrongKey', 'the frame cannot be read with the key of this account')
    : ok(content);
}

/** Padding of 1 to 16 signs, a bar in front of data, the content: encrypted, as upper-case hex. */
export function sealContent(
  content: string,
  setting: { readonly key: Uint8Array; readonly withData: boolean },
  { aes, random }: Sealing,
): string | undefined {
  const text = encodeText(setting.withData ? `|${content}` : content);
  const padding = random(BLOCK - (text.length % BLOCK)).map((byte) => PADDING.charCodeAt(byte % 64));
  const plain = new Uint8Array(padding.length + text.length);
  plain.set(padding);
  plain.set(text, padding.length);
  const cipher = aes.encrypt(setting.key, ZERO_VECTOR, plain);
  return cipher && Buffer.from(cipher).toString('hex').toUpperCase();
}

/**
 * The content behind the padding: up to the first bar, or, where there is no data, up to the closing bracket. A text that
 * ends with a time was sealed with this key, whatever the rest of it says.
 */
function unpad(plain: string, withData: boolean): Dc09Content | undefined {
  const bar = plain.indexOf('|');
  const bracket = plain.indexOf(']');
  const hasBar = bar !== -1 && (bracket === -1 || bar < bracket);
  const start = hasBar ? bar + 1 : withData ? 0 : Math.max(bracket, 0);
  const content = decodeContent(plain.slice(start));
  if (content.timeMs !== null) return content;
  // Interop: some senders pad with brackets, too, which 5.4.4.3 leaves out.
  const behind = bar === -1 || hasBar ? content : decodeContent(plain.slice(bar + 1));
  return behind.timeMs === null ? undefined : behind;
}
