import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from './sipp-pair.ts';

export interface ProxySetting {
  /** Where it is, UDP. */
  readonly host: string;
  readonly port: number;
  /** SIP URI of the telephone behind it. */
  readonly callee: string;
  /** It loses every third message. */
  readonly lossy?: boolean;
}

/** Kamailio in between, written into the route of every call; resolves when it listens. */
export async function startProxy({ host, port, callee, lossy }: ProxySetting) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-proxy-'));
  // -DD stays in the foreground, -E writes to stderr; -Y and -P keep what it writes in the folder.
  const child = spawn(
    'kamailio',
    [
      ...['-DD', '-E', '-f', join(import.meta.dirname, 'kamailio-proxy.cfg'), '-l', `udp:${host}:${port}`],
      ...['-A', `CALLEE="${callee}"`, ...(lossy === true ? ['-A', 'LOSSY'] : [])],
      ...['-Y', folder, '-P', join(folder, 'kamailio.pid'), '-w', folder],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-20_000);
  });
  const gone = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const ended = gone.then(() => Promise.reject(new Error(`kamailio ended: ${said}`)));
  ended.catch(() => undefined);
  await Promise.race([untilListening('udp', port), ended]);
  return {
    stop,
    /** Messages that it lost so far. */
    lost: () => said.match(/ lost /g)?.length ?? 0,
  };
}
