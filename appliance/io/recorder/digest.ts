import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { RecordedFile } from '../../media/recording/index.ts';

/** Size and hashes of a finished file, read back from where it stands: what is reported is what is there. */
export async function digestOf(path: string): Promise<Pick<RecordedFile, 'sizeBytes' | 'sha256' | 'sha512'>> {
  const sha256 = createHash('sha256');
  const sha512 = createHash('sha512');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    sha256.update(chunk);
    sha512.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: sha256.digest('hex'), sha512: new Uint8Array(sha512.digest()) };
}
