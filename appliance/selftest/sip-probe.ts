import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { bad, doubtful, good, type Outcome } from './record.ts';

const WITHIN_MS = 2_000;
/** Timer T1 (RFC 3261 17.1.1.2): UDP loses packets, on loopback hardly ever. */
const RESEND_MS = 500;

export interface SipAnswer {
  readonly status: number;
  /** The first Via as it came back. */
  readonly via: string;
  readonly sentVia: string;
  readonly ms: number;
}

/** One OPTIONS over UDP (RFC 3261 11); undefined: nobody answered. */
export function options(host: string, port: number): Promise<SipAnswer | undefined> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const begun = performance.now();
  return new Promise((resolve) => {
    const over = (answer: SipAnswer | undefined): void => {
      clearInterval(resend);
      clearTimeout(end);
      socket.close();
      resolve(answer);
    };
    let resend: NodeJS.Timeout | undefined;
    const end = setTimeout(() => over(undefined), WITHIN_MS);
    socket.once('error', () => over(undefined));
    socket.connect(port, host, () => {
      const { address, port: own } = socket.address();
      const at = `${address.includes(':') ? `[${address}]` : address}:${own}`;
      const sentVia = `SIP/2.0/UDP ${at};branch=z9hG4bK${randomBytes(8).toString('hex')};rport`;
      const text = optionsText(host, port, at, sentVia);
      socket.on('message', (bytes) => {
        const answer = bytes.toString('utf8');
        const status = Number(/^SIP\/2\.0 (\d{3})/.exec(answer)?.[1]);
        if (Number.isNaN(status) || status < 200) return;
        const via = /^(?:via|v)\s*:\s*(.*)$/im.exec(answer)?.[1]?.trim() ?? '';
        over({ status, via, sentVia, ms: performance.now() - begun });
      });
      socket.send(text);
      resend = setInterval(() => socket.send(text), RESEND_MS);
    });
  });
}

function optionsText(host: string, port: number, at: string, via: string): string {
  const token = (): string => randomBytes(8).toString('hex');
  return [
    `OPTIONS sip:${host.includes(':') ? `[${host}]` : host}:${port} SIP/2.0`,
    `Via: ${via}`,
    'Max-Forwards: 70',
    `From: <sip:selftest@${at}>;tag=${token()}`,
    `To: <sip:selftest@${host}>`,
    `Call-ID: ${token()}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:selftest@${at}>`,
    'Accept: application/sdp',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/** The appliance's own SIP, as a device would ask it. Any final answer shows that it is read and answered. */
export async function sipLoop(host: string, port: number): Promise<Outcome> {
  const answer = await options(host, port);
  if (answer === undefined) return bad('sip.silent', `${host}:${port} does not answer OPTIONS`);
  return good(`${answer.status}, ${answer.ms.toFixed(1)} ms`);
}

/**
 * Does something on the way rewrite SIP? The answer carries our Via as the other side got it: without an application
 * gateway it is ours, with `received` and `rport` added behind (RFC 3581 4).
 */
export async function sipGateway(host: string, port: number): Promise<Outcome> {
  const answer = await options(host, port);
  if (answer === undefined) return doubtful('alg.silent', `${host}:${port} does not answer OPTIONS`);
  return sameVia(answer.sentVia, answer.via)
    ? good('not rewritten')
    : doubtful('alg.rewrites', `came back as ${answer.via.slice(0, 60)}`);
}

/** The sent-by and the branch are as they were sent. */
export function sameVia(sent: string, came: string): boolean {
  const parts = (via: string): readonly (string | undefined)[] => [
    /^SIP\/2\.0\/UDP\s+([^;\s]+)/i.exec(via)?.[1],
    /;branch=([^;,\s]+)/i.exec(via)?.[1],
  ];
  const [a, b] = [parts(sent), parts(came)];
  return a.every((part, index) => part !== undefined && part === b[index]);
}
