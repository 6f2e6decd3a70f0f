import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { loopbackOf } from '#shared/host-port.ts';

/** How long a listener of our own may take, ms. */
export const WITHIN_MS = 2_000;

interface Asked {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Sent once the connection stands; absent: that it stands is the answer. */
  readonly say?: string;
}

interface Listener {
  readonly host: string;
  readonly port: number;
}

/** HTTPS of our own: any answer of HTTP shows that it is read. Resolves to what is wrong, undefined = it answered. */
export async function probeHttps({ host, port }: Listener): Promise<string | undefined> {
  const at = loopbackOf(host);
  const say = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const answer = await askStream({ host: at, port, tls: true, say });
  return answer?.startsWith('HTTP/1.1 ') === true
    ? undefined
    : `HTTPS at ${at}:${port} did not answer within ${WITHIN_MS / 1_000} s`;
}

/**
 * Whether a listener takes a connection at this address, over TLS with its handshake; the probe asks no more, since every other
 * answer would be to an alarm or to a member. `what`: the listener's name.
 */
export async function probeStream(
  what: string,
  { host, port }: Listener,
  tls: boolean,
): Promise<string | undefined> {
  const at = loopbackOf(host);
  return (await askStream({ host: at, port, tls })) === undefined
    ? `${what} at ${at}:${port} takes no connection`
    : undefined;
}

/** An address that this machine has now; a lost address is no fault of its listener. */
export function isOwnAddress(host: string): boolean {
  const at = loopbackOf(host).split('%')[0] ?? host;
  if (at.startsWith('127.')) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === at));
}

/** The first that comes back, or '' where nothing is said; undefined: no connection, or no word in time. */
export function askStream({ host, port, tls, say }: Asked): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The answering program is this one: its certificate is not the question.
    const socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port });
    const end = (answer: string | undefined): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(undefined), WITHIN_MS);
    socket.on('error', () => end(undefined));
    socket.once('close', () => end(undefined));
    socket.once('data', (bytes) => end(bytes.toString('latin1')));
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      if (say === undefined) end('');
      else socket.write(say);
    });
  });
}
