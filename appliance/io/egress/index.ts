export { AddressRefused, checkedLookup, type Resolve, systemResolve } from './checked-lookup.ts';
export { ownAddresses } from './own-addresses.ts';
