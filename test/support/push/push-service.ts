import { createECDH, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decryptPush } from './push-receiver.ts';

/** A message that came, as the browser of its endpoint reads it. */
export interface PushMessage {
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A browser at the push service. */
export interface PushBrowser {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface PushService {
  readonly messages: readonly PushMessage[];
  readonly subscribe: () => PushBrowser;
  /** The answer to each message of this browser from now on. */
  readonly answer: (browser: PushBrowser, status: number, headers?: Readonly<Record<string, string>>) => void;
  readonly close: () => Promise<void>;
}

/** A push service on loopback that takes messages as those on the Internet do (RFC 8030 5), and opens them as the browser would. */
export async function openPushService(
  tls: { readonly cert: string; readonly key: string },
  host = '127.0.0.1',
): Promise<PushService> {
  const messages: PushMessage[] = [];
  const browsers = new Map<string, { readonly privateKey: Uint8Array; readonly auth: Uint8Array }>();
  const answers = new Map<
    string,
    { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  >();
  const server = createServer(tls, (request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const browser = browsers.get(path);
      const { status, headers } = answers.get(path) ?? { status: 201, headers: {} };
      if (browser !== undefined)
        messages.push({
          endpoint: endpointOf(path),
          headers: request.headers,
          text: decryptPush(Buffer.concat(chunks), browser),
        });
      response.writeHead(browser === undefined ? 404 : status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpointOf = (path: string): string => `https://${host}:${port}${path}`;
  return {
    messages,
    subscribe: () => {
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const path = `/send/${randomBytes(24).toString('base64url')}`;
      browsers.set(path, { privateKey: pair.getPrivateKey(), auth });
      return { endpoint: endpointOf(path), keys: { p256dh, auth: auth.toString('base64url') } };
    },
    answer: ({ endpoint }, status, headers = {}) =>
      void answers.set(new URL(endpoint).pathname, { status, headers }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
