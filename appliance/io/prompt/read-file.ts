import { open, stat } from 'node:fs/promises';
import { fail, ok, type Result } from '#shared/result.ts';
import { MOST_BYTES, type PromptFault } from '../../media/prompt/index.ts';

/** Changes with the file: a prompt that was uploaded again is decoded again. Undefined: it is not there, or no file. */
export async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}

/** The bytes of a prompt file, at most 50 MiB. */
export async function readPrompt(path: string): Promise<Result<Uint8Array, PromptFault>> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    return code === 'ENOENT'
      ? fail('NotFound', `There is no prompt ${path}; upload it first.`)
      : fail('Failed', `${path} cannot be opened: ${String(thrown)}`);
  }
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return fail('NotFound', `${path} is no file.`);
    if (facts.size > MOST_BYTES) {
      return fail('TooLarge', `${path} has ${facts.size} bytes; a prompt has at most ${MOST_BYTES}.`);
    }
    return ok(new Uint8Array(await file.readFile()));
  } catch (thrown) {
    return fail('Failed', `${path} cannot be read: ${String(thrown)}`);
  } finally {
    await file.close();
  }
}
