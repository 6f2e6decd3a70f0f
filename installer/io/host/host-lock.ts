import { spawn } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { exitCode, Stop } from '../../exit-code.ts';

const LOCK = '/run/carillon-command.lock';
/** The exit code of flock(1) for a lock that did not come free in time. */
const NOT_IN_TIME = 9;

export type HostLock =
  | { readonly kind: 'held'; readonly release: () => void }
  /** `by`: command and process that hold it. */
  | { readonly kind: 'busy'; readonly by: string };

/**
 * One command changes the host at a time. The kernel holds the lock on a file that we keep open (flock, taken for us by
 * flock(1) of util-linux, since Node has no call for it), so that it ends with the process that has it, however that ends.
 * The file itself stays and only says who had it last. Rejects with a `Stop` where there is no flock(1).
 */
export async function lockHost(command: string, withinMs: number): Promise<HostLock> {
  const file = openSync(LOCK, constants.O_RDWR | constants.O_CREAT, 0o600);
  const wait = ['--conflict-exit-code', String(NOT_IN_TIME), '--wait', String(withinMs / 1_000), '3'];
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn('flock', wait, { stdio: ['ignore', 'ignore', 'ignore', file] });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? NOT_IN_TIME));
  }).catch((cause: Error) => {
    closeSync(file);
    throw new Stop(exitCode.missing, `flock of util-linux: ${cause.message}`);
  });
  if (code !== 0) {
    closeSync(file);
    return { kind: 'busy', by: readFileSync(LOCK, 'utf8') };
  }
  ftruncateSync(file);
  writeSync(file, `carillon ${command}, ${process.pid}`, 0);
  return { kind: 'held', release: () => closeSync(file) };
}
