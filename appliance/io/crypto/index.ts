export { randomPool } from './random-pool.ts';
export { srtpCrypto } from './srtp-crypto.ts';
