/** Chosen: longer than any account of a panel, and short enough to be a name in a table. */
const MOST_ACCOUNT = 32;

/** An account as a panel may write it, beyond hex digits too. @returns null: the text names none, or two. */
export function accountName(text: string): string | null {
  const names = text.split('#').map((name) => name.trim());
  const [name = '', other] = new Set(names.filter((each) => each !== ''));
  const isName = name.length <= MOST_ACCOUNT && /^[!-~]+$/.test(name);
  return other === undefined && isName ? name : null;
}

/** Panels write the same account in either case, with and without leading zeros. */
export const isSameAccount = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (account: string): string => account.toUpperCase().replace(/^0+(?=.)/, '');
