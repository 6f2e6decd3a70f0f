import { spawn } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

/** Runs a program to its end. One that is too slow is killed and ends with 124. */
export function run(
  argv: readonly string[],
  setting: { readonly withinMs?: number; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const { withinMs = 280_000, cwd, env } = setting;
  const [program = '', ...rest] = argv;
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, rest, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, withinMs);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      err += part;
    });
    const over = (code: number): void => {
      clearTimeout(timer);
      resolve({ code: late ? 124 : code, out, err, ms: performance.now() - begun });
    };
    child.on('error', (cause) => {
      err += cause.message;
      over(127);
    });
    child.on('close', (code) => over(code ?? 137));
  });
}

/** The same, for what must succeed. */
export async function done(argv: readonly string[], setting?: Parameters<typeof run>[1]): Promise<string> {
  const { code, out, err } = await run(argv, setting);
  if (code !== 0)
    throw new Error(`${argv.join(' ')} ended with ${code}: ${err.trim().slice(-2_000)} ${out.slice(-500)}`);
  return out;
}
