import type { Trunk } from './trunk.ts';

/** The number as the trunk wants it: `strip` signs off the front, then `prepend` before the rest. */
export const numberFor = ({ strip, prepend }: Trunk, number: string): string =>
  `${prepend}${number.slice(strip)}`;
