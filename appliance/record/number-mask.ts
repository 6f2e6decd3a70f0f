import type { SessionRecord } from '#shared/contract/session-record/index.ts';

/** How numbers leave the site: `whole`, their last four characters, or a hash with the salt of the tenant. */
export type RecordNumbers = 'whole' | 'lastFour' | 'hashed';

export interface MaskPorts {
  readonly sha256Hex: (text: string) => string;
  /** `recordSalt` of the tenant: the hash hides a number from a reader who does not know it. */
  readonly salt: string;
}

/** 64 bits: numbers of one tenant do not meet. */
const HASH_SIGNS = 16;

/** The record with the numbers as the tenant lets them leave the site. */
export function masked(
  record: SessionRecord,
  numbers: RecordNumbers,
  { sha256Hex, salt }: MaskPorts,
): SessionRecord {
  if (numbers === 'whole') return record;
  const hide = (number: string): string =>
    numbers === 'lastFour'
      ? `*${number.length > 4 ? number.slice(-4) : ''}`
      : `#${sha256Hex(`${salt} ${number}`).slice(0, HASH_SIGNS)}`;
  const hidden = (address: string): string => {
    const [, scheme = '', user = '', rest = ''] = /^(sips?:|tel:)?([^@;]*)(.*)$/is.exec(address) ?? [];
    return user === '' ? address : `${scheme}${hide(user)}${rest}`;
  };
  const { from, to, acceptedBy, requestUri, reason, deliveries, warnings, ...others } = record;
  const known = [from, to, acceptedBy, requestUri].flatMap((each) => usersIn(each));
  const without = (text: string): string =>
    known.reduce((said, number) => said.replaceAll(number, hide(number)), text);
  return {
    ...others,
    ...(from !== undefined && { from: hidden(from) }),
    ...(to !== undefined && { to: hidden(to) }),
    ...(acceptedBy !== undefined && { acceptedBy: hidden(acceptedBy) }),
    ...(requestUri !== undefined && { requestUri: hidden(requestUri) }),
    ...(reason !== undefined && { reason: without(reason).slice(0, 256) }),
    ...(warnings !== undefined && { warnings: warnings.map((each) => without(each).slice(0, 128)) }),
    ...(deliveries !== undefined && {
      deliveries:
        deliveries.lastReason === undefined
          ? deliveries
          : { ...deliveries, lastReason: without(deliveries.lastReason).slice(0, 256) },
    }),
  };
}

/** Longer than a word that stands in a sentence by chance. */
const LEAST_SIGNS = 4;

const usersIn = (address: string | undefined): string[] => {
  const user = address === undefined ? undefined : /^(?:sips?:|tel:)?([^@;]*)/i.exec(address)?.[1];
  return user === undefined || user.length < LEAST_SIGNS ? [] : [user];
};
