import type { SessionRecord } from '#shared/contract/session-record/index.ts';

/** Enough to tell two numbers apart, too little to call one. */
const KEPT = 2;

const masked = (party: string): string => `…${party.slice(-KEPT)}`;

/** The user part of an address, or a number as it is. */
export const maskedParty = (address: string): string =>
  address.replace(
    /^(\w+:)?([^@]+)/,
    (_, scheme: string | undefined, user: string) => `${scheme ?? ''}${masked(user)}`,
  );

/** Members of a record that hold numbers or addresses of people. */
const PARTIES = ['from', 'to', 'acceptedBy', 'requestUri'] as const;

/** A record for a caller who may not see whole numbers. */
export function withoutNumbers<R extends Partial<Pick<SessionRecord, (typeof PARTIES)[number]>>>(
  record: R,
): R {
  const shown = { ...record };
  for (const name of PARTIES) {
    const party = record[name];
    if (party !== undefined) shown[name] = maskedParty(party);
  }
  return shown;
}
