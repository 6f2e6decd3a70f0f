/** The exit codes for the shell. Numbers as in sysexits(3) where one fits. */
export const exitCode = {
  done: 0,
  unexpected: 1,
  selfTestFailed: 3,
  rolledBack: 4,
  wrongUse: 64,
  damagedFile: 65,
  missing: 69,
  disk: 74,
  tryAgain: 75,
  refused: 76,
  notPermitted: 77,
  wrongConfiguration: 78,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Ends a command with a code and one sentence for the person: what happened and what to do. */
export class Stop extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
