import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** All addresses of a name, from the system's resolver unless a test brings its own. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** A resolved address that the policy forbids. */
export class AddressRefused extends Error {
  readonly code = 'addressRefused';
}

/** A look-up that refuses a name altogether when one of its addresses is forbidden. */
export function checkedLookup(
  refusal: (address: string) => string | undefined,
  resolve: Resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const reason = addresses.map(({ address }) => refusal(address)).find((found) => found !== undefined);
        const first = addresses[0];
        if (reason !== undefined) callback(new AddressRefused(`${hostname}: ${reason}`), '', 0);
        else if (first === undefined) callback(new Error(`${hostname} has no address`), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
