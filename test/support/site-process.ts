import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface ProcessPlan {
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** File that what it says on stderr is appended to, over all its lives. */
  readonly logFile: string;
}

const KEPT_LINES = 12;

/** One real program that can be killed and started again. Ends only what it started, by process id. */
export class SiteProcess {
  readonly #plan: ProcessPlan;
  #child: ChildProcess | undefined;
  #lastWords: string[] = [];
  /** Starts so far. */
  lives = 0;

  constructor(plan: ProcessPlan) {
    this.#plan = plan;
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get processId(): number | undefined {
    return this.running ? this.#child?.pid : undefined;
  }

  /** Starts it and waits for its line `ready {…}`. Rejects with its last words when it ends before. */
  async start(more: Readonly<Record<string, string>> = {}, withinMs = 90_000): Promise<ReadyLine> {
    const { name, command, environment, logFile } = this.#plan;
    const [program = '', ...words] = command;
    this.#lastWords = [];
    this.lives++;
    const env = { ...ownEnvironment(), ...environment, ...more };
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.on('data', (bytes: Buffer) => {
      appendFileSync(logFile, bytes);
      this.#lastWords = [...this.#lastWords, ...bytes.toString().trimEnd().split('\n')].slice(-KEPT_LINES);
    });
    return new Promise((resolve, reject) => {
      const give = (reason: string): void => {
        clearTimeout(late);
        reject(new Error([`${name} ${reason}`, ...this.#lastWords].join('\n  ')));
      };
      const late = setTimeout(() => give(`was not ready within ${withinMs / 1000} s`), withinMs);
      child.once('error', (cause) => give(`could not be started: ${cause.message}`));
      child.once('exit', (code, signal) => give(`ended with ${signal ?? code} before it was ready`));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.startsWith('ready ')) return;
        clearTimeout(late);
        resolve(JSON.parse(line.slice('ready '.length)) as ReadyLine);
      });
    });
  }

  /** kill -9: nothing of it gets a chance to write anything. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** It gets no more time (SIGSTOP), as a machine that hangs; what is sent to it waits in the kernel. */
  freeze(): void {
    if (this.running) this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(withinMs = 10_000): Promise<void> {
    const stubborn = setTimeout(() => this.#child?.kill('SIGKILL'), withinMs);
    await this.#end('SIGTERM');
    clearTimeout(stubborn);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.running) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

export type ReadyLine = Readonly<Record<string, unknown>>;

/** Without the settings of whoever runs the tests: a program refuses a setting it does not know. */
const ownEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CARILLON_')));
