import { fail, ok, type Result } from '#shared/result.ts';
import type { PromptFault } from '../../media/prompt/index.ts';
import type { SoundAdapters, WantedFile } from './port.ts';

/** A recording of that name: it still runs, or it is being completed and `done` says when that is over. */
export type RecordingState = 'running' | { readonly done: Promise<void> } | undefined;

/**
 * Path of a prompt file or a recording that a phrase names. A file of a moment ago is found: a recording that has ended is
 * waited for, and the control plane is asked before a file is missing.
 *
 *   recording of that name ends ─▶ wait ─▶ here? ─▶ path
 *                                            └─ no, or older than asked for ─▶ control plane ─▶ path, or a fault
 */
export async function locateFile(
  { fileName, revision }: WantedFile,
  signal: AbortSignal,
  { pathOf, fetchFile }: Pick<SoundAdapters, 'pathOf' | 'fetchFile'>,
  recordingOf: (fileName: string) => RecordingState,
): Promise<Result<string, PromptFault>> {
  const recording = recordingOf(fileName);
  if (recording === 'running')
    return fail(
      'NotFound',
      `The file ${fileName} is not complete: it is still recorded. Stop the recording.`,
    );
  await recording?.done;
  const here = pathOf(fileName, revision);
  if (here !== undefined) return ok(here);
  if (fetchFile === undefined)
    return fail('NotFound', `There is no prompt file ${fileName}; upload it first.`);
  return await fetchFile(fileName, signal);
}
