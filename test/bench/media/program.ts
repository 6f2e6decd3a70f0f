import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Launched {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Compiles a program of this folder into `folder`; answers its path. */
export function compiled(folder: string, name: string, libraries: readonly string[] = []): string {
  const program = join(folder, name);
  const source = join(import.meta.dirname, `${name}.c`);
  const { status, stderr, error } = spawnSync('gcc', ['-O2', '-o', program, source, ...libraries], {
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error(`gcc is not installed: ${error.message}`);
  if (status !== 0) throw new Error(`${name}.c does not compile: ${stderr}`);
  return program;
}

/** Starts a program that runs until it is stopped; resolves when it has said `readyWhen`, or at once. */
export async function launch(
  program: string,
  args: readonly string[],
  { readyWhen }: { readonly readyWhen?: string },
): Promise<Launched> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2_000);
  });
  const exited = once(child, 'exit');
  if (readyWhen !== undefined) {
    const ended = exited.then(() => Promise.reject(new Error(`${program} ended: ${complaint}`)));
    ended.catch(() => {});
    await Promise.race([once(child.stdout, 'data'), ended]);
  } else child.stdout.resume();
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Runs a program to its end; answers what it printed. */
export async function finished(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return printed;
}
