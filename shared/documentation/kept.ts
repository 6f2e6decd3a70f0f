import type { DocumentationFiles } from './answer.ts';
import { type PackedName, unpackedDocumentation } from './packed.ts';

export interface UnpackPort {
  readonly list: () => Promise<readonly PackedName[]>;
  /** The bytes of all files, unpacked. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Calls `forget` some minutes from now, and keeps no process alive for it; gives back what takes the request back. */
  readonly later: (forget: () => void) => () => void;
}

/** The files of the site; they are unpacked with the first request and forgotten some time after the last one. */
export function keptDocumentation({ list, bytes, later }: UnpackPort): () => Promise<DocumentationFiles> {
  let files: Promise<DocumentationFiles> | undefined;
  let takeBack = (): void => undefined;
  const forget = (): void => {
    files = undefined;
  };
  return () => {
    takeBack();
    takeBack = later(forget);
    files ??= unpacked();
    files.catch(forget);
    return files;
  };

  async function unpacked(): Promise<DocumentationFiles> {
    const [names, all] = await Promise.all([list(), bytes()]);
    return unpackedDocumentation(names, all);
  }
}
