import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

const inThread = promisify(gzip);
/** Chosen: a shorter text is packed at once, in less time than the way to another thread and back. */
const SHORT = 16_384;

/** gzip of a text, as bytes of their own: zlib gives a part of 16 kB, all of which stays in memory as long as a few bytes of it are kept. */
export async function packed(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(text.length <= SHORT ? gzipSync(text) : await inThread(text));
}
