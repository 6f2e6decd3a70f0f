/**
 * Chosen: 128 bits; an attacker cannot make a second key with the same in any time, and a person can compare them on two
 * screens.
 */
const GROUPS = 8;

/**
 * How a key is shown to people: eight groups of four digits, `3f2a-9c01-…`. `sha256Hex`: SHA-256 of its public part, SPKI in DER
 * (`openssl pkey -pubout -outform DER | sha256sum` begins the same).
 */
export const fingerprintText = (sha256Hex: string): string =>
  (sha256Hex.toLowerCase().match(/.{4}/g) ?? []).slice(0, GROUPS).join('-');
