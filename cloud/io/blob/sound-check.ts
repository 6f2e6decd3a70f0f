import { parseFile } from 'music-metadata';
import type { PromptFormat } from '#shared/contract/runtime/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** Containers with the codecs in them that appliances read. */
const KINDS: readonly {
  readonly container: RegExp;
  readonly codec: RegExp;
  readonly format: PromptFormat;
}[] = [
  { container: /^WAVE$/, codec: /^(PCM|ALAW|MULAW|IEEE_FLOAT|non-PCM.*)/i, format: 'wav' },
  { container: /^MPEG$/, codec: /Layer 3$/, format: 'mp3' },
  { container: /^Ogg/, codec: /^(Vorbis|Opus)/i, format: 'ogg' },
];
const READ = 'WAV (PCM, A-law, mu-law), MP3 and OGG (Vorbis, Opus) are read';

/** The content of a file: format and length, by its own head. Whether every byte of it decodes, the appliance finds out. */
export async function soundOf(
  path: string,
  size: number,
): Promise<Result<{ readonly format: PromptFormat; readonly seconds: number }>> {
  let format: Awaited<ReturnType<typeof parseFile>>['format'];
  try {
    ({ format } = await parseFile(path, { duration: true, skipCovers: true }));
  } catch {
    return fail('invalid', `The body holds ${size} bytes that are no sound; ${READ}.`);
  }
  const { container = '', codec = '', duration } = format;
  const kind = KINDS.find((each) => each.container.test(container) && each.codec.test(codec));
  if (kind === undefined) {
    const found =
      container === '' ? `${size} bytes that are no sound` : `${container} with ${codec || 'no audio'}`;
    return fail('invalid', `The body holds ${found}; ${READ}.`);
  }
  if (duration === undefined || !(duration > 0))
    return fail('invalid', `The ${container} file holds no audio; send one with at least a moment of sound.`);
  return ok({ format: kind.format, seconds: duration });
}
