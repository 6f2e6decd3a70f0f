import type { WantedFile } from './port.ts';

export interface FilePlaces<PromptFile> {
  /** Revision of the tenant's configuration that is in force. */
  readonly revision: number;
  /** The prompt file of that name, as the configuration has it. */
  readonly promptFile: (fileName: string) => PromptFile | undefined;
  readonly promptPath: (file: PromptFile) => string | undefined;
  readonly recordingPath: (fileName: string) => string | undefined;
}

/**
 * Path of the file of that name on this host; undefined: it is not here. A prompt file of the configuration goes before a
 * recording of the same name, also while its bytes are still missing. Where the configuration is older than the caller asks for,
 * the name may mean another file by then.
 */
export function placeOfFile<PromptFile>(
  { fileName, revision = 0 }: WantedFile,
  places: FilePlaces<PromptFile>,
): string | undefined {
  if (revision > places.revision) return undefined;
  const file = places.promptFile(fileName);
  return file === undefined ? places.recordingPath(fileName) : places.promptPath(file);
}
