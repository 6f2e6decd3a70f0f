import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { bracketed, loopbackOf } from '#shared/host-port.ts';
import { askStream, WITHIN_MS } from './listener-probe.ts';

export interface SipListener {
  readonly transport: 'UDP' | 'TCP' | 'TLS';
  readonly host: string;
  readonly port: number;
}

/**
 * OPTIONS to a listener of our own, as any neighbour would send it (RFC 3261 11). Resolves to what is wrong, undefined =
 * it answered; a 503 of a host that is being drained is an answer too.
 */
export async function probeSip(listener: SipListener | undefined): Promise<string | undefined> {
  if (listener === undefined) return 'SIP is not open';
  const host = loopbackOf(listener.host);
  const { transport, port } = listener;
  const options = optionsTo(host, port, transport);
  const answer =
    transport === 'UDP'
      ? await overUdp(host, port, options)
      : await askStream({ host, port, tls: transport === 'TLS', say: options });
  if (answer === undefined) return `OPTIONS to ${host}:${port}/${transport} was not answered within 2 s`;
  return /^SIP\/2\.0 (200|503) /.test(answer)
    ? undefined
    : `OPTIONS was answered with ${answer.split('\r\n')[0]}`;
}

function optionsTo(host: string, port: number, transport: string): string {
  const own = randomBytes(8).toString('hex');
  const at = bracketed(host);
  return [
    `OPTIONS sip:${at}:${port} SIP/2.0`,
    `Via: SIP/2.0/${transport} ${at}:9;rport;branch=z9hG4bK${own}`,
    `From: <sip:probe@${at}>;tag=${own}`,
    `To: <sip:${at}:${port}>`,
    `Call-ID: ${own}`,
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 1',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
}

function overUdp(host: string, port: number, request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (answer: string | undefined): void => {
      clearTimeout(late);
      socket.removeAllListeners('message');
      socket.close();
      resolve(answer);
    };
    const late = setTimeout(() => end(undefined), WITHIN_MS);
    socket.once('error', () => end(undefined));
    socket.once('message', (bytes) => end(bytes.toString('latin1')));
    socket.send(request, port, host);
  });
}
