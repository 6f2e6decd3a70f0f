import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { throughListener } from '#appliance/selftest/running.ts';
import { sipLoops } from '#appliance/selftest/sip-probe.ts';
import { openSite, pause, type Site } from '#test/support/site.ts';

/** A host of both families listens on every address, and is known by one of IPv4. The addresses that it writes are of the peer's family. */
const WITHIN_MS = 30_000;
const FAMILIES = [
  ['IPv4', '127.0.0.1', 'c=IN IP4 127.0.0.1', '127.0.0.1'],
  ['IPv6', '::1', 'c=IN IP6 ::1', '[::1]'],
] as const;
const TRANSPORTS = ['UDP', 'TCP', 'TLS', 'WSS'] as const;
type Transport = (typeof TRANSPORTS)[number];

let site: Site;
beforeAll(async () => {
  site = await openSite({ everywhere: true });
}, 90_000);
afterAll(() => site?.close(), 60_000);

interface Peer {
  readonly send: (text: string) => void;
  readonly received: () => string;
  readonly close: () => void;
}

async function open(transport: Transport, host: string): Promise<Peer> {
  let text = '';
  const hear = (bytes: Buffer): void => {
    text += bytes.toString('latin1');
  };
  const received = () => text;
  const port = Number(site.sip.split(':').at(-1));
  if (transport === 'UDP') {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').on('message', hear);
    await new Promise<void>((resolve) => socket.connect(port, host, resolve));
    return { send: (said) => socket.send(said), received, close: () => void socket.close() };
  }
  if (transport === 'WSS') {
    const at = host.includes(':') ? `[${host}]` : host;
    const web = `wss://${at}:${new URL(site.siteBaseUrl).port}/sip`;
    const socket = new WebSocket(web, ['sip'], { rejectUnauthorized: false }).on('message', hear);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return { send: (said) => socket.send(said), received, close: () => socket.close() };
  }
  const socket =
    transport === 'TCP'
      ? connect({ host, port })
      : connectTls({ host, port: site.sips, rejectUnauthorized: false });
  socket.on('data', hear);
  await new Promise((resolve, reject) =>
    socket.once(transport === 'TCP' ? 'connect' : 'secureConnect', resolve).once('error', reject),
  );
  return { send: (said) => socket.write(said), received, close: () => socket.destroy() };
}

async function until(what: string, has: () => boolean): Promise<void> {
  for (const deadline = performance.now() + WITHIN_MS; !has(); await pause(10))
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
}

/** One call to the address that the service opens for a self-test; the 200 that answers it. */
async function answerTo(transport: Transport, host: string, user: string): Promise<string> {
  const at = host.includes(':') ? `[${host}]` : host;
  const peer = await open(transport, host);
  const sdp = `v=0\r\no=t 1 1 IN IP${host.includes(':') ? 6 : 4} ${host}\r\ns=-\r\nc=IN IP${host.includes(':') ? 6 : 4} ${host}\r\nt=0 0\r\nm=audio 9 RTP/AVP 8\r\n`;
  const request = (method: string, cseq: number, tag: string, body = ''): string =>
    [
      `${method} sip:${user}@${at} SIP/2.0`,
      `Via: SIP/2.0/${transport} ${at}:9;rport;branch=z9hG4bK${user}${method}`,
      'Max-Forwards: 70',
      `From: <sip:t@${at}>;tag=t`,
      `To: <sip:${user}@${at}>${tag}`,
      `Call-ID: ${user}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:t@${at}:9>`,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  try {
    peer.send(request('INVITE', 1, '', sdp));
    await until(`an answer over ${transport}`, () =>
      /^SIP\/2\.0 [2-6]\d\d [\s\S]*\r\n\r\n/m.test(peer.received()),
    );
    const ok = peer.received().slice(peer.received().search(/^SIP\/2\.0 [2-6]/m));
    const tag = /^To: .*(;tag=[^;\r]+)/m.exec(ok)?.[1] ?? '';
    peer.send(request('ACK', 1, tag));
    peer.send(request('BYE', 2, tag));
    await until('the end of the call', () => peer.received().includes('CSeq: 2 BYE'));
    return ok;
  } finally {
    peer.close();
  }
}

describe.each(TRANSPORTS)('a host on every address, over %s', (transport) => {
  it.each(FAMILIES)('gives a peer of %s an address of its family that can be reached', async (...family) => {
    const [, host, connection, named] = family;
    const port = Number(new URL(site.siteBaseUrl).port);
    const { user } = await throughListener(site.applianceFolder, { host, port }).expectCall();
    const ok = await answerTo(transport, host, user);
    expect(ok).toMatch(/^SIP\/2\.0 200 /);
    expect(/^c=[^\r]*/m.exec(ok)?.[0]).toBe(connection);
    expect(/^o=carillon \d+ \d+ IN (IP[46] [^\r]*)/m.exec(ok)?.[1]).toBe(connection.slice('c=IN '.length));
    expect(/^Contact: <sip:[^@]+@(.*):\d+[;>]/m.exec(ok)?.[1]).toBe(named);
  });
});

it('its self-test asks each address', async () => {
  const port = Number(site.sip.split(':').at(-1));
  const both = [
    { host: '0.0.0.0', port },
    { host: '::', port },
  ];
  expect(await sipLoops(both)).toMatchObject({
    verdict: 'ok',
    found: expect.stringMatching(/^127\.0\.0\.1: \d{3}, .*; ::1: \d{3}, /),
  });
});
