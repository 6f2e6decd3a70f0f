import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A service may drain for 90 s and start for 60. */
const LONGEST_MS = 200_000;
const MOST_BYTES = 64 * 1_048_576;
/** A minimal login has no sbin in its path. */
const PATH = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** Runs a program without a shell. Never rejects: one that is not there ends with 127, one that is too slow with 124. */
export function run(
  argv: readonly string[],
  setting: { readonly input?: string; readonly withinMs?: number } = {},
): Promise<Ran> {
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    const child = execFile(
      program,
      rest,
      {
        timeout: setting.withinMs ?? LONGEST_MS,
        maxBuffer: MOST_BYTES,
        env: { ...process.env, PATH, LC_ALL: 'C' },
      },
      (cause, out, err) => resolve({ code: codeOf(cause), out, err }),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(setting.input);
  });
}

function codeOf(cause: unknown): number {
  if (cause === null) return 0;
  const { code, killed } = cause as { code?: unknown; killed?: boolean };
  if (killed === true) return 124;
  return typeof code === 'number' ? code : 127;
}

/** The trimmed output of a program. @returns undefined when it fails. */
export async function output(...argv: readonly string[]): Promise<string | undefined> {
  const { code, out } = await run(argv);
  return code === 0 ? out.trim() : undefined;
}
