import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PAGE_PLAIN_BYTES } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { Fetched } from '../../../replica/index.ts';

const unpack = promisify(gunzip);

/** Text of a page whose bytes came from anywhere: they must be those that its manifest names. */
export async function openPage(
  bytes: Buffer,
  { sha256, size }: { readonly sha256: string; readonly size: number },
): Promise<Fetched<string>> {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (bytes.length !== size || found !== sha256) {
    return fail('unreachable', `page ${sha256}: other bytes came than the manifest names`);
  }
  try {
    const plain = await unpack(bytes, { maxOutputLength: PAGE_PLAIN_BYTES });
    return ok(plain.toString('utf8'));
  } catch {
    return fail('damaged', `page ${sha256} cannot be unpacked within ${PAGE_PLAIN_BYTES} bytes`);
  }
}
