import { type SpawnOptions, spawn } from 'node:child_process';

/** A program that a reader starts in a terminal. */
export interface Started {
  /** Everything that it has printed. */
  readonly text: () => string;
  /** Resolves when it has printed this. */
  readonly says: (expected: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  readonly type: (line: string) => void;
  /** Exit code of a program that ends by itself. */
  readonly ended: Promise<number | null>;
  /** By SIGTERM, or by SIGINT where it has a terminal of its own. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Starts it; a detached one is stopped with all that it has started, as by Ctrl-C in its terminal. */
export function startProgram([program = '', ...words]: readonly string[], options: SpawnOptions): Started {
  const child = spawn(program, words, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  const looks = new Set<() => void>();
  const hear = (bytes: Buffer): void => {
    text += bytes.toString();
    for (const look of looks) look();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return {
    text: () => text,
    type: (line) => void child.stdin?.write(`${line}\n`),
    ended,
    says: (expected, withinMs = 60_000) =>
      new Promise((done, fail) => {
        const late = setTimeout(() => {
          looks.delete(look);
          fail(new Error(`${expected} was not printed within ${withinMs} ms:\n${text}`));
        }, withinMs);
        const look = (): void => {
          const found = expected.exec(text);
          if (found === null) return;
          clearTimeout(late);
          looks.delete(look);
          done(found);
        };
        looks.add(look);
        look();
        void ended.then((code) => {
          look();
          clearTimeout(late);
          fail(new Error(`it ended with ${code} and has not printed ${expected}:\n${text}`));
        });
      }),
    stop: async (signal) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        if (options.detached === true) process.kill(-child.pid, signal ?? 'SIGINT');
        else child.kill(signal ?? 'SIGTERM');
      }
      await ended;
    },
  };
}
