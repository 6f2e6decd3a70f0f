import { plural } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';

type WrongTries = NonNullable<Operations['postSession']['answer']['wrongTries']>;

/** The tries of others with the name of this person; the age of the last one follows. */
export const wrongTriesText = ({ count, lastSource }: Pick<WrongTries, 'count' | 'lastSource'>): string =>
  plural(count, {
    one: `One wrong password was entered for your account from another network. It came from ${lastSource},`,
    other: `# wrong passwords were entered for your account from another network. The last one came from ${lastSource},`,
  });
