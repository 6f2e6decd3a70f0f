import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WITHIN_MS = 90_000;

/** A program that runs while the test does something else, and what it has said so far. */
export class Speaker {
  /** How it ended. */
  readonly code: Promise<number>;
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #said = '';
  #over = false;

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv) {
    const [program = '', ...rest] = argv;
    this.#child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        this.#said += part;
        for (const look of this.#waiting) look();
      });
    }
    this.code = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        this.#over = true;
        for (const look of this.#waiting) look();
        resolve(code ?? 137);
      });
    });
  }

  said = (): string => this.#said;

  /** Waits until it has said that; rejects with what it said instead when it ends or is too slow. */
  says(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        end();
      };
      const never = (): void => reject(new Error(`"${text}" was not said: ${this.#said}`));
      const look = (): void => {
        if (this.#said.includes(text)) settle(resolve);
        else if (this.#over) settle(never);
      };
      const timer = setTimeout(() => settle(never), WITHIN_MS);
      this.#waiting.add(look);
      look();
    });
  }

  /** Asks it to end. nsenter waits for the program, which is its only child. */
  async end(): Promise<void> {
    if (this.#over) return;
    const { pid } = this.#child;
    const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    if (child > 0) process.kill(child, 'SIGTERM');
    await this.code;
  }
}
