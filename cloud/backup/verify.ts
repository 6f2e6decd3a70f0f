import { type ArchiveEnd, type Manifest, readArchive } from './archive.ts';
import type { OpenBy } from './cipher.ts';

export interface VerifiedBackup {
  readonly manifest: Manifest;
  readonly end: ArchiveEnd;
}

const nothing = (): void => undefined;

/** Reads a backup to its end and changes nothing. Throws one sentence when it is not whole. */
export const verifyBackup = (file: string, by: OpenBy): Promise<VerifiedBackup> =>
  readArchive(file, by, {
    manifest: nothing,
    vaultKey: nothing,
    rows: nothing,
    file: nothing,
    data: nothing,
  });
