import { networkInterfaces } from 'node:os';

/** Addresses of this machine's interfaces, as they are now. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
