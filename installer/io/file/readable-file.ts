import { readFileSync } from 'node:fs';
import { exitCode, Stop } from '../../exit-code.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not read it; check its rights',
  EPERM: 'this user may not read it; check its rights',
  ENOTDIR: 'a part of its path is a file; check the path',
  ELOOP: 'its links lead in a circle; name the file itself',
  ENAMETOOLONG: 'its name is too long; check the path',
  EMFILE: 'this user has too many files open; close some',
  EAGAIN: 'the standard input has nothing; name a file',
  ENOSPC: 'the disk is full; make room',
  EROFS: 'the disk takes no writes; name another place',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB; name a smaller one',
};

/** The reason why a file cannot be read or written, in words; the name of the error of the system is none. */
export const fileReason = (cause: unknown): string =>
  WORDS[String((cause as NodeJS.ErrnoException).code)] ?? 'the disk refuses it; check the disk';

/** The bytes of a file that a person has named; `-` is the standard input. Throws `Stop` with the reason in words. */
export function readFileOf(file: string, what = file): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const mayNot = code === 'EACCES' || code === 'EPERM';
    throw new Stop(
      mayNot ? exitCode.notPermitted : exitCode.damagedFile,
      `${what} cannot be read: ${fileReason(cause)}.`,
    );
  }
}
