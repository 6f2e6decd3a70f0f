import type { Trunk } from './trunk.ts';

/**
 * A dialled number without what people write between the digits; undefined: it is no number (a name, an address).
 * RFC 3966 3: visual separators mean nothing.
 */
export function plainNumber(dialled: string): string | undefined {
  const plain = dialled.replaceAll(/[-.() ]/g, '');
  return /^\+?[0-9*#]{1,64}$/.test(plain) ? plain : undefined;
}

/** May this number leave by this trunk? A trunk without a prefix takes every number. */
export const takesNumber = ({ numberPrefix }: Trunk, number: string): boolean =>
  numberPrefix === undefined || number.startsWith(numberPrefix);

/** The number as the trunk wants it: `strip` signs off the front, then `prepend` before the rest. */
export const numberFor = ({ strip, prepend }: Trunk, number: string): string =>
  `${prepend}${number.slice(strip)}`;
