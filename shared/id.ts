/** Identifiers are branded strings: a session id is not accepted where a trace id is wanted. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]?: Name };

/** One from the first packet to the last callback. */
export type TraceId = Branded<'TraceId'>;
export type SessionId = Branded<'SessionId'>;
/** Tenant name as the API spells it: a DNS name with at least one dot. */
export type Domain = Branded<'Domain'>;
export type DeviceId = Branded<'DeviceId'>;
/** 26 signs, lower case, sorts by time. */
export type Ulid = Branded<'Ulid'>;

/** Source of random bytes; reaches a core as a function. */
export type RandomBytes = (length: number) => Uint8Array;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * ULID in lower case (github.com/ulid/spec): 48 bits of epoch milliseconds, 80 random bits.
 * `random` must be at least 10 bytes.
 */
export function ulid(epochMs: number, random: Uint8Array): Ulid {
  let text = '';
  let time = epochMs;
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD[time % 32] + text;
    time = Math.floor(time / 32);
  }
  let bits = 0;
  let held = 0;
  for (let i = 0; i < 10; i++) {
    held = (held << 8) | (random[i] ?? 0);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += CROCKFORD[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** UUID version 4 (RFC 9562 5.4) from 16 random bytes; the form of trace ids. */
export function uuid(random: Uint8Array): string {
  const hex = (at: number): string => HEX[random[at] ?? 0] as string;
  const version = HEX[((random[6] ?? 0) & 0x0f) | 0x40];
  const variant = HEX[((random[8] ?? 0) & 0x3f) | 0x80];
  return (
    `${hex(0)}${hex(1)}${hex(2)}${hex(3)}-${hex(4)}${hex(5)}-${version}${hex(7)}-` +
    `${variant}${hex(9)}-${hex(10)}${hex(11)}${hex(12)}${hex(13)}${hex(14)}${hex(15)}`
  );
}
