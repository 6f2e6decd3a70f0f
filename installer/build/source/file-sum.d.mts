/** The files at and below a path from the root that count, as paths from the root, in the order of their names. */
export function filesBelow(root: string, path: string, counts: (path: string) => boolean): string[];

/** SHA-256 over the paths and contents of these files, hex. `onFile` gets each content. */
export function sumOfFiles(
  root: string,
  paths: readonly string[],
  onFile?: (path: string, bytes: Buffer) => void,
): string;
