import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Chosen: what a program may complain about, characters. */
const LONGEST_COMPLAINT = 300;

/** Only what a program needs to find its own files and to take the text for UTF-8. */
const surroundings = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
});

/**
 * A program started for one utterance: text on its standard input, sound from its standard output. Started without a shell.
 * It is killed when no caller listens any more. Throws when it cannot be started or ends badly.
 */
export async function* soundOfProgram(
  program: string,
  args: readonly string[],
  text: string,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  signal.throwIfAborted();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: surroundings() });
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += part.toString();
  });
  const ended = once(child, 'close').then(([code, by]) => ({ code, by }));
  const broken = ended.catch((error: unknown) => error);
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  let whole = false;
  try {
    for await (const chunk of child.stdout) yield chunk as Uint8Array;
    whole = true;
    signal.throwIfAborted();
    const { code, by } = await ended;
    if (code !== 0)
      throw new Error(`ended with ${code ?? by}: ${complaint.trim().slice(0, LONGEST_COMPLAINT)}`);
  } finally {
    signal.removeEventListener('abort', stop);
    if (!whole) stop();
    await broken;
  }
}
