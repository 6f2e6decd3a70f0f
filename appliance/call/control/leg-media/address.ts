const NUMERIC_4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** Not a host name: no look-up is needed. */
export const isNumeric = (host: string): boolean => NUMERIC_4.test(host) || host.includes(':');

export const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);
