import { readFileSync } from 'node:fs';
import { noAnswerReason } from '#shared/http/index.ts';
import { type ExitCode, exitCode, Stop } from '../../exit-code.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check the path',
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

/** The bytes of a file that a person has named; `-` is the standard input. Throws `Stop` with the reason in words, and `code`. */
export function readFileOf(file: string, what = file, code?: ExitCode): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (cause) {
    const { code: fault } = cause as NodeJS.ErrnoException;
    const mayNot = fault === 'EACCES' || fault === 'EPERM';
    throw new Stop(
      code ?? (mayNot ? exitCode.notPermitted : exitCode.damagedFile),
      `${what} cannot be read: ${fileReason(cause)}.`,
    );
  }
}

/** The JSON of a file that a person has written. Throws `Stop` with the place of the fault. */
export function readJsonOf(file: string): unknown {
  const text = readFileOf(file).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Stop(exitCode.damagedFile, `${file} is no JSON: ${jsonFault(cause)}. Correct it there.`);
  }
}

/** The place of the fault, as far as the parser tells it. */
function jsonFault(cause: unknown): string {
  const { message } = cause as SyntaxError;
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return `line ${line}, column ${column} is wrong`;
  const [, token] = /token '(.)'/su.exec(message) ?? [];
  return token === undefined ? 'it ends in the middle' : `a ${token} stands where JSON has none`;
}

/** A reason that a program of the appliance gives, with the name of an error of the system put in words. */
export const inWords = (reason: string): string =>
  reason.replace(
    /(?:connect |read |write |getaddrinfo )?\b(E[A-Z]{4,})\b(?: [\w.:[\]]+)?/g,
    (_, code: string) => noAnswerReason({ code, message: 'the network refuses it; check the network' }),
  );

/** A failure of the network or of the disk that no command has put in words; undefined: it is a defect. */
export function systemReason(cause: unknown): string | undefined {
  const { code, path, name, cause: below } = cause as NodeJS.ErrnoException;
  // `fetch` throws a TypeError with the error of the socket below it.
  if (name === 'TypeError' && below !== undefined)
    return `The other end does not answer: ${noAnswerReason(cause)}.`;
  if (code === undefined || WORDS[code] === undefined) return undefined;
  return `${path ?? 'A file'} cannot be used: ${WORDS[code]}.`;
}
