import type { Operations } from '#shared/client/index.ts';

type WrongTries = NonNullable<Operations['postSession']['answer']['wrongTries']>;

/** The tries of others with the name of this person; the age of the last one follows. */
export function wrongTriesText({ count, lastSource }: Pick<WrongTries, 'count' | 'lastSource'>): string {
  const tries = count === 1 ? 'One wrong password was' : `${count} wrong passwords were`;
  const last = count === 1 ? 'It came' : 'The last one came';
  return `${tries} entered for your account from another network. ${last} from ${lastSource},`;
}
