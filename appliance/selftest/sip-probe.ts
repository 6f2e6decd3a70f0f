import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { BlockList, isIPv6 } from 'node:net';
import { bracketed, hostPort, loopbackOf } from '#shared/host-port.ts';
import type { HopEcho } from '#shared/self-test/index.ts';
import type { TcpListener } from './network-probe.ts';
import { bad, doubtful, good, type Outcome, skipped } from './record.ts';

const WITHIN_MS = 2_000;
/** Timer T1 (RFC 3261 17.1.1.2): UDP loses packets, on loopback hardly ever. */
const RESEND_MS = 500;

interface SipAnswer {
  readonly status: number;
  readonly hop: HopEcho;
  readonly ms: number;
}

/** One OPTIONS over UDP (RFC 3261 11); undefined: no server answered. */
function options(host: string, port: number): Promise<SipAnswer | undefined> {
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
    // Not as its callback, which would be called for an unknown name, too.
    socket.once('connect', () => {
      const { address, port: own } = socket.address();
      const at = hostPort(address, own);
      const sentVia = `SIP/2.0/UDP ${at};branch=z9hG4bK${randomBytes(8).toString('hex')};rport`;
      const callId = `${token()}@${address}`;
      const text = optionsText(host, port, at, sentVia, callId);
      socket.on('message', (bytes) => {
        const answer = bytes.toString('utf8');
        const status = Number(/^SIP\/2\.0 (\d{3})/.exec(answer)?.[1]);
        if (Number.isNaN(status) || status < 200) return;
        const field = (names: string): string =>
          new RegExp(`^(?:${names})[ \\t]*:[ \\t]*(.*)$`, 'im').exec(answer)?.[1]?.trim() ?? '';
        const via = field('via|v');
        const kept = {
          Via: sameVia(sentVia, via),
          'Call-ID': field('call-id|i') === callId,
          From: field('from|f').includes(`sip:selftest@${at}`),
        };
        const altered = Object.entries(kept).flatMap(([name, is]) => (is ? [] : [name]));
        const hop = { transport: 'UDP', own: address, peer: socket.remoteAddress().address, via, altered };
        over({ status, hop, ms: performance.now() - begun });
      });
      socket.send(text);
      resend = setInterval(() => socket.send(text), RESEND_MS);
    });
    socket.connect(port, host);
  });
}

const token = (): string => randomBytes(8).toString('hex');

function optionsText(host: string, port: number, at: string, via: string, callId: string): string {
  return [
    `OPTIONS sip:${hostPort(host, port)} SIP/2.0`,
    `Via: ${via}`,
    'Max-Forwards: 70',
    `From: <sip:selftest@${at}>;tag=${token()}`,
    `To: <sip:selftest@${bracketed(host)}>`,
    `Call-ID: ${callId}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:selftest@${at}>`,
    'Accept: application/sdp',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/**
 * The appliance's own SIP, as a device would ask it at each of its addresses. Any final answer shows that it is read and answered;
 * one address that is silent is a fault.
 */
export async function sipLoops(addresses: readonly TcpListener[]): Promise<Outcome> {
  const found: string[] = [];
  for (const { host, port } of addresses) {
    const at = loopbackOf(host);
    const answer = await options(at, port);
    if (answer === undefined) return bad('sip.silent', `${at}:${port} does not answer OPTIONS`);
    const where = addresses.length > 1 ? `${at}: ` : '';
    found.push(`${where}${answer.status}, ${answer.ms.toFixed(1)} ms`);
  }
  return good(found.join('; '));
}

/** Does something on the way to this SIP server rewrite SIP? */
export async function sipGateway(host: string, port: number): Promise<Outcome> {
  const answer = await options(host, port);
  if (answer === undefined) return doubtful('alg.silent', `${host}:${port} does not answer OPTIONS`);
  return judgeHop(answer.hop);
}

/** The same, from what the hosts of our trunks have echoed: the worst of them. */
export function worstGateway(hops: readonly HopEcho[]): Outcome {
  const [worst = skipped('alg.noPeer')] = hops
    .map(judgeHop)
    .sort((a, b) => WORST_FIRST[a.verdict] - WORST_FIRST[b.verdict]);
  return worst;
}

const WORST_FIRST = { failure: 0, warning: 1, ok: 2, skipped: 3 } as const;

/**
 * A guess. The answer echoes Via, Call-ID and From of our question: without an application gateway they are ours. Many of them put
 * things back on the way home; then this is left: a server that sees a request from a private address come out of another one
 * adds `received` to its Via (RFC 3261 18.2.1, RFC 3581 4), unless a device wrote the public address into it before.
 */
export function judgeHop({ transport, own, peer, via, altered }: HopEcho): Outcome {
  if (transport !== 'UDP' && transport !== 'TCP') return skipped('alg.secure');
  if (altered.length > 0)
    return doubtful('alg.rewrites', `${peer}: ${altered.join(', ')} came back altered (${via.slice(0, 80)})`);
  const received = /;\s*received=([^;,\s]+)/i.exec(via)?.[1];
  if (received === undefined && isPrivate(own) && !isPrivate(peer))
    return doubtful('alg.hidden', `${peer} saw no address translation, and ${own} is private`);
  const seen = received === undefined || received === own ? '' : `, seen as ${received}`;
  return good(`${peer}: as it was sent${seen}`);
}

/** RFC 1918, RFC 6598, RFC 3927, loopback; RFC 4193, link-local. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

const isPrivate = (address: string): boolean => PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** The sent-by and the branch are as they were sent. */
export function sameVia(sent: string, came: string): boolean {
  const parts = (via: string): readonly (string | undefined)[] => [
    /^SIP\/2\.0\/UDP\s+([^;\s]+)/i.exec(via)?.[1],
    /;branch=([^;,\s]+)/i.exec(via)?.[1],
  ];
  const [a, b] = [parts(sent), parts(came)];
  return a.every((part, index) => part !== undefined && part === b[index]);
}
