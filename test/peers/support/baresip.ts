import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '#test/support/site-port.ts';
import { untilListening } from './sipp-pair.ts';
import { levelAt, pitchOf } from './sound.ts';

export interface BaresipSetting {
  /** Everything of it lies here; its own. */
  readonly folder: string;
  readonly user: string;
  readonly password: string;
  readonly domain: string;
  /** Port of the appliance at `at`. */
  readonly proxyPort: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Address of the loopback that it and the appliance talk at; 127.0.0.1 without it. */
  readonly at?: '127.0.0.1' | '::1';
  /** PEM file of who has signed the certificate of the appliance; for TLS. */
  readonly ca?: string;
  readonly codec: 'PCMA' | 'PCMU' | 'GSM';
  /** SRTP and nothing else. */
  readonly encrypted?: boolean;
  /** How it sends digits; by event without it. */
  readonly digits?: 'info' | 'rtpevent';
  /** WAV of 8 kHz, mono: what it says. */
  readonly says: string;
  /** It registers nowhere and is reached here, by UDP; its calls go to `through`, if to anybody. */
  readonly alone?: { readonly host: string; readonly port: number; readonly through?: string };
}

/** An event of ctrl_tcp about a call or the registration. */
export interface BaresipEvent {
  readonly type: string;
  readonly param?: string;
}

const WITHIN_MS = 30_000;
const WAV_HEAD = 44;
const STRETCH = 4_000;
const AUDIBLE_DB = -30;

/** The strongest tone in the last half second of its record, Hz; 'nothing' while there is none. */
export function receivedPitch(by: Baresip): number | 'nothing' {
  const last = by.recorded().subarray(-STRETCH);
  if (last.length < STRETCH) return 'nothing';
  const pitch = Math.round(pitchOf(last));
  return levelAt(last, pitch) > AUDIBLE_DB ? pitch : 'nothing';
}

/** The telephone baresip, driven over its control port. */
export class Baresip {
  readonly #folder: string;
  readonly #socket: Socket;
  readonly #close: () => Promise<void>;
  readonly #events: BaresipEvent[] = [];
  #unread = Buffer.alloc(0);
  #output = '';

  private constructor(folder: string, socket: Socket, close: () => Promise<void>) {
    this.#folder = folder;
    this.#socket = socket;
    this.#close = close;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
  }

  /** Resolves when it is registered, or listens. Rejects with what it said when it is not. */
  static async start(setting: BaresipSetting): Promise<Baresip> {
    const [control = 0] = await freePorts('127.0.0.1', 1);
    mkdirSync(join(setting.folder, 'dump'), { recursive: true });
    writeFileSync(join(setting.folder, 'config'), configOf(setting, control));
    writeFileSync(join(setting.folder, 'accounts'), accountOf(setting));
    writeFileSync(join(setting.folder, 'contacts'), '');
    const child = spawn('baresip', ['-f', setting.folder, '-s', ...(setting.at === '::1' ? ['-6'] : [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        output += bytes.toString();
      });
    const exited = once(child, 'exit').catch((cause: NodeJS.ErrnoException) => {
      output += cause.code === 'ENOENT' ? 'baresip is not installed' : cause.message;
      return [];
    });
    const end = async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    };
    try {
      const socket = await opened(control, () => {
        if (child.exitCode !== null) throw new Error('it ended');
      });
      const baresip = new Baresip(setting.folder, socket, end);
      if (setting.alone === undefined) await baresip.#registered();
      else await untilListening('udp', setting.alone.port);
      return baresip;
    } catch (cause) {
      await end();
      throw new Error(`baresip: ${String(cause)}\n${output}`);
    }
  }

  /** Asks until it says so: the event may have come before anybody listened. */
  async #registered(): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    while (!/OK\b.*Expires/.test(this.#output)) {
      if (performance.now() > deadline) throw new Error(`it did not register: ${this.#output}`);
      this.say('reginfo');
      await pause(100);
    }
  }

  say(command: string, params = ''): void {
    const text = JSON.stringify({ command, params });
    this.#socket.write(`${Buffer.byteLength(text)}:${text},`);
  }

  /** The next event of this type; everything before it is forgotten. */
  async until(type: string): Promise<BaresipEvent> {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const at = this.#events.findIndex((event) => event.type === type);
      if (at >= 0) return this.#events.splice(0, at + 1)[at] as BaresipEvent;
      if (performance.now() > deadline)
        throw new Error(`baresip did not tell ${type}, but ${JSON.stringify(this.#events)} ${this.#output}`);
      await pause(20);
    }
  }

  /** The audio it heard so far in the last call, from its own record, 8 kHz; the head of that WAV is written at its end. */
  recorded(): Int16Array {
    const folder = join(this.#folder, 'dump');
    const name = readdirSync(folder)
      .filter((each) => each.endsWith('dec.wav'))
      .sort()
      .at(-1);
    const bytes = name === undefined ? Buffer.alloc(WAV_HEAD) : readFileSync(join(folder, name));
    const samples = Math.max(0, Math.floor((bytes.length - WAV_HEAD) / 2));
    return Int16Array.from({ length: samples }, (_, i) => bytes.readInt16LE(WAV_HEAD + 2 * i));
  }

  /** Throws its records away. */
  forget(): void {
    const folder = join(this.#folder, 'dump');
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    await this.#close();
  }

  /** Netstrings of JSON. */
  #read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const colon = this.#unread.indexOf(':');
      const length = Number(this.#unread.toString('latin1', 0, Math.max(0, colon)));
      if (colon < 0 || this.#unread.length < colon + length + 2) return;
      const text = this.#unread.toString('utf8', colon + 1, colon + 1 + length);
      this.#unread = this.#unread.subarray(colon + length + 2);
      const message = JSON.parse(text) as Partial<BaresipEvent> & { readonly data?: string };
      if (message.type !== undefined) this.#events.push(message as BaresipEvent);
      else this.#output = `${this.#output}${message.data ?? ''}`.slice(-4_000);
    }
  }
}

async function opened(port: number, check: () => void): Promise<Socket> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    check();
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (cause) {
      socket.destroy();
      if (performance.now() > deadline) throw cause;
      await pause(50);
    }
  }
}

const MODULES = ['g711', 'gsm', 'srtp', 'aufile', 'aubridge', 'sndfile', 'ctrl_tcp', 'account', 'menu'];

const configOf = (
  { folder, says, ca, at: here = '127.0.0.1', alone: at = { host: here, port: 0 } }: BaresipSetting,
  control: number,
): string =>
  [
    ...(ca === undefined ? [] : [`sip_cafile ${ca}`, 'sip_verify_server yes']),
    `sip_listen ${bracketed(at.host)}:${at.port}`,
    `net_interface ${at.host}`,
    'call_max_calls 4',
    'rtp_stats no',
    `audio_source aufile,${says}`,
    // A player that goes nowhere; what was heard stands in the record.
    'audio_player aubridge,nowhere',
    'audio_alert aubridge,nowhere',
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'ausrc_channels 1',
    'auplay_channels 1',
    `snd_path ${join(folder, 'dump')}`,
    `ctrl_tcp_listen 127.0.0.1:${control}`,
    'module_path /usr/lib/baresip/modules',
    ...MODULES.map(
      (name) =>
        `${name === 'account' ? 'module_tmp' : name === 'menu' || name === 'ctrl_tcp' ? 'module_app' : 'module'} ${name}.so`,
    ),
    '',
  ].join('\n');

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const accountOf = (setting: BaresipSetting): string => {
  const {
    user,
    password,
    domain,
    proxyPort,
    transport,
    codec,
    encrypted,
    digits = 'rtpevent',
    alone,
    at = '127.0.0.1',
  } = setting;
  const outbound =
    alone === undefined ? `sip:${bracketed(at)}:${proxyPort};transport=${transport}` : alone.through;
  return `${[
    `<sip:${user}@${alone?.host ?? domain}>`,
    ...[`auth_user=${user}`, `auth_pass=${password}`, 'answermode=auto', `dtmfmode=${digits}`],
    `regint=${alone === undefined ? 600 : 0}`,
    ...(outbound === undefined ? [] : [`outbound="${outbound}"`]),
    `audio_codecs=${codec}/8000/1`,
    ...(encrypted === true ? ['mediaenc=srtp-mand'] : []),
  ].join(';')}\n`;
};
