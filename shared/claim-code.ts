/** Crockford's base 32: without I, L, O and U, so that no two signs look alike. */
const CLAIM_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_SIGN = 5;
/** The length of a typed code: 50 bits, with a limit of tries. */
const TYPED_LENGTH = 10;
/** The length of a code for a camera or a program: the fewest signs that hold 128 bits. */
const LONG_LENGTH = Math.ceil(128 / BITS_PER_SIGN);

const codeOf = (random: Uint8Array, length: number): string => {
  if (random.length < length) throw new RangeError(`${random.length} bytes for a code of ${length} signs`);
  return Array.from(random.subarray(0, length), (byte) => CLAIM_SIGNS[byte & 31]).join('');
};

/** 10 signs, 50 bits, of 10 random bytes: to be typed. */
export const claimCodeFrom = (random: Uint8Array): string => codeOf(random, TYPED_LENGTH);

/** 26 signs, 130 bits, of 26 random bytes: for a QR code or a file. */
export const longClaimCodeFrom = (random: Uint8Array): string => codeOf(random, LONG_LENGTH);

/** The code a person meant: case, spaces and hyphens do not matter, O is 0, I and L are 1. */
export const typedClaimCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');

export const isLongClaimCode = (code: string): boolean => typedClaimCode(code).length === LONG_LENGTH;

/** Why a text cannot be a claim code, whoever made it. */
export type ClaimCodeFault =
  | { readonly kind: 'length'; readonly signs: number }
  | { readonly kind: 'sign'; readonly sign: string };

/** The fault of a code as it was typed or read; undefined: it may be one. */
export function claimCodeFault(typed: string): ClaimCodeFault | undefined {
  const code = typedClaimCode(typed);
  const foreign = [...code].find((sign) => !CLAIM_SIGNS.includes(sign));
  if (foreign !== undefined) return { kind: 'sign', sign: foreign };
  const signs = code.length;
  return signs === TYPED_LENGTH || signs === LONG_LENGTH ? undefined : { kind: 'length', signs };
}

/** One sentence of it, and one of what to do. */
export const claimCodeFaultText = (fault: ClaimCodeFault): string =>
  fault.kind === 'length'
    ? `The claim code is wrong: it has ${fault.signs} characters. A typed code has ${TYPED_LENGTH}, and a code in a QR code or file has ${LONG_LENGTH}. Read it again.`
    : `The claim code is wrong: no claim code has the character "${fault.sign}". Read it again.`;
