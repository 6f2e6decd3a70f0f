import { fail, ok, type Result } from '#shared/result.ts';
import type { PromptFault } from '../../media/prompt/index.ts';
import type { LocatedFile, SoundAdapters, WantedFile } from './port.ts';

/** A recording of that name: it still runs, or it is being completed and `done` says when that is over. */
export type RecordingState = 'running' | { readonly done: Promise<void> } | undefined;

/**
 * A prompt file or a recording that a phrase names. A file of a moment ago is found: a recording that has ended is waited for,
 * and every host of the site and the control plane are asked before a file is missing.
 *
 *   recording of that name ends ─▶ wait ─▶ here? ─▶ path
 *                                            └─ no ─▶ another host has recorded it ─▶ copy
 *                                                       └─ no, or older than asked for ─▶ control plane ─▶ path, copy, or a fault
 */
export async function locateFile(
  { fileName, revision }: WantedFile,
  signal: AbortSignal,
  { pathOf, fetchFile, borrow }: Pick<SoundAdapters, 'pathOf' | 'fetchFile' | 'borrow'>,
  recordingOf: (fileName: string) => RecordingState,
): Promise<Result<LocatedFile, PromptFault>> {
  const recording = recordingOf(fileName);
  if (recording === 'running')
    return fail(
      'NotFound',
      `The file ${fileName} is not complete: it is still recorded. Stop the recording.`,
    );
  await recording?.done;
  const path = pathOf(fileName, revision);
  if (path !== undefined) return ok({ path });
  // Only an uploaded file has a revision, and the control plane has the newest one.
  const near = revision === undefined ? await borrow?.(fileName, 'peer', signal) : undefined;
  if (near?.ok === true) return near;
  const fetched =
    fetchFile === undefined
      ? fail('NotFound', `There is no prompt file ${fileName}; upload it first.`)
      : await fetchFile(fileName, signal);
  if (fetched.ok) return ok({ path: fetched.value });
  const isUpload = revision !== undefined || fetched.error.code !== 'NotFound';
  return (isUpload ? undefined : await borrow?.(fileName, 'cloud', signal)) ?? fetched;
}
