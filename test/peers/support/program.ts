import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a real program to its end. Rejects when it is not installed (tests of peers never pass over one that is
 * missing) or when it does not end in time; its exit code is a value.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly withinMs?: number } = {},
): Promise<Ended> {
  const child = spawn(program, args, { stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return await new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${program} did not end in time\n${stdout}\n${stderr}`));
    }, options.withinMs ?? 60_000);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      reject(error.code === 'ENOENT' ? new Error(`${program} is not installed`) : error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}
