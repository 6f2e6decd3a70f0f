import type { DocumentationFiles } from './answer.ts';

/** One file of the site: its name below `/docs/`, and its length in bytes. The files stand in the order of the list. */
export type PackedName = readonly [name: string, length: number];

/** @throws when the list and the bytes are not of one build */
export function unpackedDocumentation(
  list: readonly PackedName[],
  bytes: Uint8Array<ArrayBuffer>,
): DocumentationFiles {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let at = 0;
  for (const [name, length] of list) {
    files.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.length)
    throw new Error(
      `The documentation holds ${bytes.length} bytes and its list names ${at}: they are of two builds. Build it again.`,
    );
  return files;
}
