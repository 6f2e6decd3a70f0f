import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from './sipp-pair.ts';

export interface ProxySetting {
  /** Where it is, UDP. */
  readonly host: string;
  readonly port: number;
  /** SIP URI of the telephone behind it. */
  readonly callee: string;
  /** SIP URI of a second one that rings with it. */
  readonly second?: string;
  /** NG socket of an rtpengine that relays the audio, as `udp:host:port`. */
  readonly relay?: string;
  /** With `relay`: the codec that the telephone is offered, and no other. */
  readonly codec?: 'GSM';
  /** With `relay`: audio is encrypted towards `uri` alone, to which the calls of the host `plain` go. */
  readonly sealedTowards?: { readonly uri: string; readonly plain: string };
  /** It loses one message of three. */
  readonly lossy?: boolean;
  /** It is reached over TLS on `port`, with these, PEM; the telephone stays on UDP. */
  readonly secure?: {
    readonly cert: string;
    readonly key: string;
    /** Peers over TLS must show a certificate of this authority. */
    readonly clients?: string;
  };
}

/** Kamailio in between, written into the route of every call; resolves when it listens. */
export async function startProxy(setting: ProxySetting) {
  const { host, port, callee, second, relay, codec, sealedTowards, lossy, secure } = setting;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-proxy-'));
  const keep = (name: string, pem: string): string => {
    writeFileSync(join(folder, name), pem, { mode: 0o600 });
    return JSON.stringify(join(folder, name));
  };
  const words = [
    `CALLEE="${callee}"`,
    ...(second === undefined ? [] : [`SECOND="${second}"`]),
    ...(relay === undefined ? [] : [`RELAY="${relay}"`]),
    ...(sealedTowards === undefined
      ? []
      : [`INSIDE="${sealedTowards.uri}"`, `PLAIN="${sealedTowards.plain}"`]),
    ...(codec === undefined ? [] : [`CODEC="replace-origin codec-mask-all transcode-${codec}"`]),
    ...(lossy === true ? ['LOSSY'] : []),
    ...(secure === undefined
      ? []
      : [
          'SECURE',
          `CERTIFICATE=${keep('certificate.pem', secure.cert)}`,
          `PRIVATE_KEY=${keep('key.pem', secure.key)}`,
          ...(secure.clients === undefined ? [] : [`CLIENTS=${keep('clients.pem', secure.clients)}`]),
        ]),
  ];
  const places =
    secure === undefined ? [`udp:${host}:${port}`] : [`tls:${host}:${port}`, `udp:${host}:${port}`];
  // -DD stays in the foreground, -E writes to stderr; -Y and -P keep what it writes in the folder.
  const child = spawn(
    'kamailio',
    [
      ...['-DD', '-E', '-f', join(import.meta.dirname, 'kamailio-proxy.cfg')],
      ...places.flatMap((place) => ['-l', place]),
      ...words.flatMap((word) => ['-A', word]),
      ...['-Y', folder, '-P', join(folder, 'kamailio.pid'), '-w', folder],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-20_000);
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const ended = exited.then(() => Promise.reject(new Error(`kamailio ended: ${said}`)));
  ended.catch(() => undefined);
  await Promise.race([
    Promise.all([untilListening('udp', port), secure && untilListening('tcp', port)]),
    ended,
  ]);
  return {
    stop,
    /** The audio of every description that it saw with `sealedTowards`: whose, and how, as `host RTP/…`. */
    described: () =>
      [...said.matchAll(/described (\S+) m=audio \d+ (\S+)/g)].map(
        ([, from, profile]) => `${from} ${profile}`,
      ),
    /** Messages that it lost so far. */
    lost: () => said.match(/ lost /g)?.length ?? 0,
  };
}
