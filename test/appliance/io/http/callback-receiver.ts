import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 3_600_000;

/** A certificate authority of this test run and a server certificate for `localhost` and the loopback addresses. */
export async function makeAuthority(): Promise<{ ca: string; cert: string; key: string }> {
  x509.cryptoProvider.set(webcrypto);
  const dates = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const caKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: 'CN=Authority of the test',
    keys: caKeys,
    signingAlgorithm: algorithm,
    serialNumber: randomBytes(8).toString('hex'),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const leaf = await x509.X509CertificateGenerator.create({
    ...dates,
    subject: 'CN=receiver',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    serialNumber: randomBytes(8).toString('hex'),
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'dns', value: 'receiver.test' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { ca: ca.toString('pem'), cert: leaf.toString('pem'), key };
}

export interface Received {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
export type Answer = (request: Received, response: ServerResponse, socket: Socket) => void;

/** A customer's endpoint: a real HTTPS server on the loopback, which answers as the test tells it to. */
export class CallbackReceiver {
  readonly received: Received[] = [];
  connections = 0;
  answer: Answer = (_request, response) => response.end('{}');
  private readonly server: Server;

  constructor(options: ServerOptions) {
    this.server = createServer(options, (request, response) => void this.take(request, response));
    this.server.on('secureConnection', () => {
      this.connections++;
    });
  }

  async listen(host = '127.0.0.1'): Promise<void> {
    this.server.listen(0, host);
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `https://${host}:${this.port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const received = { url: request.url ?? '', headers: request.headers, body };
    this.received.push(received);
    this.answer(received, response, request.socket);
  }
}
