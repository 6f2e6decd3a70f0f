import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Kamailio {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const START_MS = 10_000;
const configuration = (name: string): string => join(import.meta.dirname, `${name}.cfg`);

export interface KamailioOptions {
  readonly core?: number;
  /** A file of this folder, without its end, or a path from it. */
  readonly configuration?: string;
  /** The words of the file that are replaced, and what stands in their place. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Kamailio with a file of this folder on a free port of 127.0.0.1; resolves when it answers. */
export async function startKamailio(options: KamailioOptions = {}): Promise<Kamailio> {
  const port = await freeUdpPort();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kamailio-'));
  const file = join(folder, 'kamailio.cfg');
  const text = readFileSync(configuration(options.configuration ?? 'kamailio'), 'utf8');
  writeFileSync(file, replaced(text, options.words ?? {}));
  // -DD stays in the foreground, -E writes to stderr; -Y and -P keep what it writes in the folder.
  const args = ['-DD', '-E', '-f', file, '-l', `udp:127.0.0.1:${port}`];
  // -m: memory for every transaction that waits for its timers at the rates of the benches.
  const own = ['-m', '1024', '-Y', folder, '-P', join(folder, 'kamailio.pid'), '-w', folder];
  const bound = options.core === undefined ? [] : ['taskset', '-c', String(options.core)];
  const [program = 'kamailio', ...rest] = [...bound, 'kamailio', ...args, ...own];
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4_000);
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await answers(port, () => child.exitCode !== null))) {
    await stop();
    throw new Error(`kamailio does not answer: ${said}`);
  }
  return { pid: child.pid ?? 0, port, stop };
}

function replaced(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((written, [word, value]) => written.replaceAll(word, value), text);
}

/** Asks until there is an answer. */
async function answers(port: number, ended: () => boolean): Promise<boolean> {
  const socket = createSocket('udp4');
  let isAnswered = false;
  socket.on('message', () => {
    isAnswered = true;
  });
  const request =
    'OPTIONS sip:ping@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKping;rport\r\n' +
    'From: <sip:ping@127.0.0.1>;tag=1\r\nTo: <sip:ping@127.0.0.1>\r\nCall-ID: ping\r\nCSeq: 1 OPTIONS\r\n' +
    'Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n';
  const untilMs = performance.now() + START_MS;
  while (!isAnswered && !ended() && performance.now() < untilMs) {
    socket.send(request, port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  socket.close();
  return isAnswered;
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind(0, '127.0.0.1');
  await listening;
  const { port } = socket.address();
  socket.close();
  return port;
}
