/** The beginning of an address as people, devices and settings write it. */
interface AddressUser {
  /** In lower case; undefined: there is none. */
  readonly scheme: string | undefined;
  /** User of a SIP address, or the number; escapes stay. */
  readonly user: string;
  /** A host follows. */
  readonly hasHost: boolean;
}

const ADDRESS = /^(?:(sips?|tel|gsm):)?([^@;>]*)(@)?/i;

/** @returns undefined: the text begins with no user */
export function readAddressUser(address: string): AddressUser | undefined {
  const [, scheme, user = '', at] = ADDRESS.exec(address) ?? [];
  return user === '' ? undefined : { scheme: scheme?.toLowerCase(), user, hasHost: at !== undefined };
}

/** User part of a SIP, tel or gsm address, or of a plain number; empty: it has none. */
export const addressUserOf = (address: string): string => readAddressUser(address)?.user ?? '';

/** @returns the user part of a SIP URI; undefined: it has none, or the text is no SIP URI */
export function sipUserOf(uri: string): string | undefined {
  const { scheme, user, hasHost = false } = readAddressUser(uri) ?? {};
  return scheme?.startsWith('sip') === true && hasHost ? user : undefined;
}
