import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { type CallbackCall, createCaller, type Delivery } from '#appliance/delivery/callback/index.ts';
import { createSigner } from '#appliance/io/http/index.ts';
import type { CallbackHandler } from '#sdk/js/src/callback/index.ts';

/** A key pair of a tenant, as the platform and as the application hold it. */
export function tenantKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    entry: { type: 'ES256', secret: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() },
    key: {
      algorithm: 'ES256',
      publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    } as const,
  };
}

export const callOf = (path: string, body: object, change: Partial<CallbackCall> = {}): CallbackCall => ({
  traceId: 'trace-1',
  path,
  headers: {},
  body: JSON.stringify(body),
  eventSeq: 1,
  shape: 'default',
  ...change,
});

export const deliveryOf = (id: string, change: Partial<Delivery> = {}): Delivery => ({
  id,
  attempt: 1,
  firstCredential: 0,
  late: false,
  ...change,
});

/** The platform's own sender, with the application in this process instead of a connection. */
export function senderTo(handler: CallbackHandler, entries: readonly { type: string; secret: string }[]) {
  const requests: Request[] = [];
  const call = createCaller({
    post: async ({ url, headers, body }) => {
      const request = new Request(url, { method: 'POST', headers, body });
      requests.push(request.clone());
      const response = await handler(request);
      return {
        ok: true,
        value: { status: response.status, headers: {}, body: await response.text() },
      };
    },
    sign: createSigner(),
    sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
    random: randomBytes,
    clock: { wallMs: Date.now, monoMs: () => performance.now() },
  });
  const target = {
    domain: 'care.example',
    url: 'https://app.example/hooks',
    restAuthentication: entries,
    timeoutMs: 5_000,
  };
  return {
    requests,
    send: (composed: CallbackCall, delivery: Delivery) => call(target, composed, delivery),
  };
}
