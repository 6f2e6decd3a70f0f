import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaLegsAnswer, MediaLegsReady, MediaLegsSetting } from '../process/media-setting.ts';
import { type ChildOptions, startChild } from '../support/child-process.ts';
import { profiled } from '../support/start.ts';
import { type Launched, launch } from './program.ts';

/** Where all audio of the benches goes, apart from what else runs on this machine. */
export const HOST = '127.0.0.5';
/** Peers; leg n of every device talks to `FIRST_PEER_PORT` + 2 n. */
export const FIRST_PEER_PORT = 20_000;
export const OUR_PORTS = { from: 26_000, to: 31_999 };
const RTPENGINE_PORTS = { from: 32_000, to: 37_999 };
const PLAIN_FIRST_PORT = 38_000;

/** Something that carries audio: legs, of which 0 talks with 1, 2 with 3 … */
export interface Device {
  readonly title: string;
  readonly pid: number;
  /** Port of each leg. */
  readonly ports: readonly number[];
  readonly stop: () => Promise<void>;
}

export interface DeviceOptions {
  /** Bound to this core. */
  readonly core?: number;
  /** Scheduled round-robin before everything else; needs root. */
  readonly first?: boolean;
}

/**
 * A core each for the device and the generator, before all other work: what is measured is then the device, not how many
 * packets a late generator or a waiting device has gathered. Not in quick runs, which must not starve other work.
 */
export const OWN = {
  device: (quick: boolean): DeviceOptions => (quick ? {} : { core: 0, first: true }),
  generator: (quick: boolean): { readonly core?: number } => (quick ? {} : { core: 1 }),
};

/** One media worker of ours. */
export async function startOurs(
  legs: number,
  work: MediaLegsSetting['work'],
  options: DeviceOptions & Pick<MediaLegsSetting, 'srtp' | 'programs'> = {},
): Promise<Device> {
  const { srtp, programs, core, first } = options;
  const setting: MediaLegsSetting = {
    legs,
    work,
    codec: 'PCMA',
    peerHost: HOST,
    firstPeerPort: FIRST_PEER_PORT,
    ports: OUR_PORTS,
    ...(srtp && { srtp }),
    ...(programs && { programs }),
  };
  const childOptions: ChildOptions = {
    nodeFlags: profiled,
    startMs: 60_000,
    ...(core !== undefined && { core }),
  };
  const file = new URL('../process/media-legs.ts', import.meta.url);
  const child = await startChild<MediaLegsSetting, MediaLegsReady, null, MediaLegsAnswer>(
    file,
    setting,
    childOptions,
  );
  if (first === true) await putFirst(child.pid);
  return { title: 'ours', pid: child.pid, ports: child.ready.ports, stop: child.stop };
}

/** The least that passes packets on. */
export async function startPlain(
  program: string,
  legs: number,
  { core, first }: DeviceOptions = {},
): Promise<Device> {
  const own = [program, HOST, String(PLAIN_FIRST_PORT), String(legs), String(FIRST_PEER_PORT)];
  const [started = program, ...args] = core === undefined ? own : ['taskset', '-c', String(core), ...own];
  const { pid, stop } = await launch(started, args, { readyWhen: 'ready' });
  if (first === true) await putFirst(pid);
  const ports = Array.from({ length: legs }, (_, n) => PLAIN_FIRST_PORT + 2 * n);
  return { title: 'plain relay', pid, ports, stop };
}

/** rtpengine in user space with one thread; its legs are set up by its control protocol. */
export async function startRtpengine(legs: number, options: DeviceOptions = {}): Promise<Device> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-rtpengine-'));
  const control = createSocket('udp4');
  const listening = once(control, 'listening');
  control.bind(0, '127.0.0.1');
  await listening;
  // A free port a moment ago; no other program looks for one of this address.
  const port = control.address().port;
  control.close();
  const bound = options.core === undefined ? [] : ['taskset', '-c', String(options.core)];
  const [program = 'rtpengine', ...args] = [
    ...bound,
    'rtpengine',
    '--table=-1',
    `--interface=${HOST}`,
    `--listen-ng=127.0.0.1:${port}`,
    `--port-min=${RTPENGINE_PORTS.from}`,
    `--port-max=${RTPENGINE_PORTS.to}`,
    '--num-threads=1',
    '--log-level=2',
    '--log-stderr',
    '--foreground',
    '--config-file=none',
    `--pidfile=${join(folder, 'pid')}`,
  ];
  let launched: Launched | undefined;
  const stop = async (): Promise<void> => {
    await launched?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    launched = await launch(program, args, {});
    const ng = await openNg(port);
    const ports = await ng.calls(legs);
    ng.close();
    if (options.first === true) await putFirst(launched.pid);
    return { title: 'rtpengine', pid: launched.pid, ports, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Round-robin class for the process with all its threads. */
async function putFirst(pid: number): Promise<void> {
  const child = spawn('chrt', ['--all-tasks', '--rr', '--pid', '10', String(pid)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('chrt cannot give the round-robin class; this bench needs root');
}

/** The control protocol of rtpengine: a cookie, and a bencoded dictionary. */
async function openNg(port: number) {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind(0, '127.0.0.1');
  await listening;
  let cookies = 0;

  async function ask(question: Readonly<Record<string, string | readonly string[]>>): Promise<string> {
    const cookie = `c${++cookies}`;
    const request = `${cookie} ${bencode(question)}`;
    for (let attempt = 0; attempt < 25; attempt++) {
      const answered = new Promise<string | undefined>((resolve) => {
        const late = setTimeout(() => settle(undefined), 200);
        const settle = (answer: string | undefined) => {
          clearTimeout(late);
          socket.off('message', take);
          resolve(answer);
        };
        const take = (bytes: Buffer) => {
          const text = bytes.toString('latin1');
          if (text.startsWith(`${cookie} `)) settle(text.slice(cookie.length + 1));
        };
        socket.on('message', take);
      });
      socket.send(request, port, '127.0.0.1');
      const answer = await answered;
      if (answer !== undefined) return answer;
    }
    throw new Error('rtpengine does not answer on its control port');
  }

  const portIn = (answer: string): number => {
    const found = /m=audio (\d+) /.exec(answer)?.[1];
    if (found === undefined) throw new Error(`rtpengine answers without a port: ${answer.slice(0, 200)}`);
    return Number(found);
  };

  await ask({ command: 'ping' });
  return {
    /** A call for each two legs. */
    async calls(legs: number): Promise<number[]> {
      const ports: number[] = [];
      for (let n = 0; n < legs; n += 2) {
        const call = { 'call-id': `bench-${n}`, 'from-tag': `a${n}`, ICE: 'remove', 'rtcp-mux': ['demux'] };
        const offer = await ask({ command: 'offer', ...call, sdp: description(n) });
        const answer = await ask({ command: 'answer', ...call, 'to-tag': `b${n}`, sdp: description(n + 1) });
        // The address in the offer is where the second one sends to.
        ports.push(portIn(answer), portIn(offer));
      }
      return ports;
    },
    close: () => socket.close(),
  };
}

const description = (n: number): string =>
  `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n` +
  `m=audio ${FIRST_PEER_PORT + 2 * n} RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\na=sendrecv\r\n`;

/** Strings, lists and dictionaries; keys in their order. */
function bencode(value: string | readonly string[] | Readonly<Record<string, unknown>>): string {
  if (typeof value === 'string') return `${Buffer.byteLength(value)}:${value}`;
  if (Array.isArray(value)) return `l${value.map(bencode).join('')}e`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `d${entries.map(([key, each]) => bencode(key) + bencode(each as string)).join('')}e`;
}
