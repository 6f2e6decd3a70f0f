/** User part of a SIP, tel or gsm address, or of a plain number. */
export const userOf = (address: string): string =>
  /^(?:(?:sips?|tel|gsm):)?([^@;>]+)/i.exec(address)?.[1] ?? '';
