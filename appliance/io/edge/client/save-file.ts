import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { type Agent, request } from 'undici';
import { fail, ok } from '#shared/result.ts';
import type { Fetched } from '../../../replica/index.ts';

/** Chosen: 50 MiB over a line of 1 Mbit/s take seven minutes. */
const TIMEOUT_MS = 15 * 60_000;

/** A file by its hash: stands at `path` when all of it came, and not before. */
export async function saveFile(
  dispatcher: Agent,
  url: string,
  { sha256, size }: { readonly sha256: string; readonly size: number },
  path: string,
): Promise<Fetched<null>> {
  const coming = `${path}.coming`;
  try {
    const answer = await request(url, { dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      return fail('unreachable', `the control plane answered ${answer.statusCode} for ${sha256}`);
    }
    const hash = createHash('sha256');
    let bytes = 0;
    const file = await open(coming, 'w', 0o600);
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > size) return fail('damaged', `more than the ${size} bytes of ${sha256} came`);
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (hash.digest('hex') !== sha256) return fail('damaged', `the bytes of ${sha256} have another hash`);
    await rename(coming, path);
    return ok(null);
  } catch (error) {
    return fail('unreachable', `${sha256}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(coming, { force: true });
  }
}
