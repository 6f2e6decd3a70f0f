import { z } from 'zod';

/** `typ` of the header of a key statement. */
export const KEY_TYP = 'carillon-key';

/** Chosen: who has not looked for so many changes of the key asks a person; one a year is usual. */
export const MOST_KEY_STATEMENTS = 16;
const STATEMENT_MOST_CHARACTERS = 1_024;

/**
 * Key statements, the oldest first: compact JWS (EdDSA, `KEY_TYP`) by which each key that signed names the one that followed it.
 * A reader that trusts one of the keys may trust all after it.
 */
export const keyChainField = z
  .array(z.string().max(STATEMENT_MOST_CHARACTERS))
  .max(MOST_KEY_STATEMENTS)
  .readonly();

/** The text in which they travel: one in a line. */
export const keyChainText = (chain: readonly string[]): string => chain.map((each) => `${each}\n`).join('');

/** Undefined: the text is too long to be a chain. */
export const keyChainIn = (text: string): readonly string[] | undefined =>
  keyChainField.safeParse(text.split('\n').filter((line) => line !== '')).data;
