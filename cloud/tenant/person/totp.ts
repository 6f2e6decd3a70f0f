/**
 * Codes of an authenticator (RFC 6238 over RFC 4226): HMAC-SHA-1, 30 s, six digits, which is what every such program knows. Chosen:
 * written here and not taken from a package: it is one HMAC and four bytes of it, and the vectors of the RFC hold it.
 */
export type HmacSha1 = (key: Uint8Array, data: Uint8Array) => Uint8Array;

const STEP_MS = 30_000;
const DIGITS = 6;
/** Chosen: the clock of a telephone may be one step off, as RFC 6238 5.2 proposes. */
const STEPS_OFF = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const stepAt = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** RFC 4226 5.3. */
export function totp(secret: Uint8Array, step: number, hmac: HmacSha1): string {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  const mac = hmac(secret, counter);
  const at = (mac.at(-1) ?? 0) & 0x0f;
  const number = new DataView(mac.buffer, mac.byteOffset + at, 4).getUint32(0) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of a code that is good now and was not used; undefined: it is wrong, or an old one. */
export function stepOf(
  code: string,
  { secret, lastStep }: { readonly secret: Uint8Array; readonly lastStep: number },
  nowMs: number,
  hmac: HmacSha1,
): number | undefined {
  const now = stepAt(nowMs);
  return STEPS_OFF.map((off) => now + off).find(
    (step) => step > lastStep && totp(secret, step, hmac) === code,
  );
}

/** RFC 4648 6, without padding: as authenticators take a secret. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text;
}
