/** The small primes whose residues give the fault away, and the generator of that chip's primes (Nemec et al., CCS 2017). */
const PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];
const GENERATOR = 65_537;

/**
 * Was this RSA modulus made by a chip whose keys can be computed from their public part (CVE-2017-15361)? One of 10^8 sound
 * keys looks like it, too.
 *
 * @param modulus base64url, big-endian
 */
export function isComputable(modulus: string): boolean {
  const value = BigInt(`0x${Buffer.from(modulus, 'base64url').toString('hex') || '0'}`);
  return PRIMES.every((prime) => isPower(Number(value % BigInt(prime)), prime));
}

/** Is this residue a power of the generator? */
function isPower(residue: number, prime: number): boolean {
  for (let power = 1, steps = 0; steps < prime; steps++) {
    if (power === residue) return true;
    power = (power * GENERATOR) % prime;
  }
  return false;
}
