import 'reflect-metadata';
import { once } from 'node:events';
import { connect as netConnect, type Socket } from 'node:net';
import * as x509 from '@peculiar/x509';
import {
  type CloseReason,
  openSipTransport,
  type SendFailure,
  type SipTransport,
  type TlsCredentials,
  type TransportEvent,
  type TransportOptions,
} from '#appliance/io/sip-transport/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';

/** A transport on loopback ports of its own, and everything it reported. */
export interface Loopback {
  readonly transport: SipTransport;
  readonly messages: { flow: Flow; text: string; nowMs: number }[];
  readonly closed: { flow: Flow; reason: CloseReason }[];
  readonly failed: { flow: Flow; failure: SendFailure }[];
  readonly events: TransportEvent[];
  port(transport: 'UDP' | 'TCP' | 'TLS', host?: string): number;
}

const open: SipTransport[] = [];

/** Every message gets `onMessage`'s text back over its flow. */
export async function loopback(
  options: Partial<TransportOptions>,
  onMessage?: (text: string) => string,
  inUse?: (flow: Flow) => boolean,
): Promise<Loopback> {
  const reported = { messages: [], closed: [], failed: [], events: [] } as Pick<
    Loopback,
    'messages' | 'closed' | 'failed' | 'events'
  >;
  const transport: SipTransport = await openSipTransport(
    { monoMs: () => performance.now(), report: (event) => reported.events.push(event), ...options },
    {
      message(flow, bytes, nowMs) {
        reported.messages.push({ flow, text: bytes.toString('latin1'), nowMs });
        if (onMessage !== undefined) transport.send(flow, Buffer.from(onMessage(bytes.toString('latin1'))));
      },
      closed: (flow, reason) => reported.closed.push({ flow, reason }),
      failed: (flow, _bytes, failure) => reported.failed.push({ flow, failure }),
      ...(inUse && { inUse }),
    },
  );
  open.push(transport);
  return {
    transport,
    ...reported,
    port: (name, host) =>
      transport.bound.find((bound) => bound.transport === name && (host ?? bound.host) === bound.host)
        ?.port ?? 0,
  };
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
}

/** Waits until `condition` holds; says what was waited for when it never does. */
export async function until(what: string, condition: () => boolean, withinMs = 5_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A plain TCP client that keeps what it reads. */
export async function client(
  port: number,
  host = '127.0.0.1',
): Promise<{ socket: Socket; read: () => string }> {
  const socket = netConnect(port, host);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, read: () => text };
}

/** Everything that was on its way before has arrived: a later keep-alive has come, and its connection has closed. */
export async function afterwards(here: Loopback, port: number): Promise<void> {
  const { length } = here.closed;
  const { socket, read } = await client(port);
  const from = socket.localPort;
  socket.write('\r\n\r\n');
  await until('a keep-alive', () => read() === '\r\n');
  socket.destroy();
  const at = () => here.closed.findIndex(({ flow }, i) => i >= length && flow.remotePort === from);
  await until('its end', () => at() >= 0);
  here.closed.splice(at(), 1);
}

export const sip = (method: string, body = '', extra = ''): string =>
  `${method} sip:scaip@a.test SIP/2.0\r\nVia: SIP/2.0/TCP a.test;branch=z9hG4bK1\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * A self-made authority and a leaf with these alternative names, `URI:sip:a.test` or `DNS:a.test` or `IP:127.0.0.1`.
 *
 * @param uses its extended key usage, as numbers; without it there is none
 */
export async function certificate(
  names: readonly string[],
  commonName = 'test',
  uses?: readonly string[],
): Promise<Required<Omit<TlsCredentials, 'client'>>> {
  x509.cryptoProvider.set(crypto);
  const notBefore = new Date(Date.now() - 3_600_000);
  const notAfter = new Date(Date.now() + 3_600_000);
  const caKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    // One name each: where several are trusted it distinguishes them.
    name: `CN=Authority of ${commonName}`,
    notBefore,
    notAfter,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: `CN=${commonName}`,
    issuer: ca.subject,
    notBefore,
    notAfter,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names.map(generalName))]),
      ...(uses === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...uses])]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: leaf.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    ca: ca.toString('pem'),
  };
}

function generalName(name: string): x509.GeneralName {
  const colon = name.indexOf(':');
  const value = name.slice(colon + 1);
  const kind = name.slice(0, colon);
  return new x509.GeneralName(kind === 'URI' ? 'url' : kind === 'IP' ? 'ip' : 'dns', value);
}
