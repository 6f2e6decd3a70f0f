/** Public face of the media workers: the real `Media`. */
export { srtpCrypto } from './srtp-crypto.ts';
