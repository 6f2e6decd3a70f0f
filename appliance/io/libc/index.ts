/** Public face of the C library: the few system calls that Node does not offer, or does not offer in time. */

export * as linux from './libc.ts';
export { type Libc, openLibc, reasonOf } from './libc.ts';
export { ReceiveBatch } from './receive-batch.ts';
export { ADDRESS_BYTES, readSocketAddress, writeSocketAddress } from './socket-address.ts';
