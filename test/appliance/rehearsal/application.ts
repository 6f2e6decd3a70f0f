import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { openRehearsal } from '#appliance/rehearsal/index.ts';
import type { CallbackHandler, HandlerOptions } from '#sdk/js/src/callback/index.ts';
import { nodeListener } from '#sdk/js/src/node.ts';
import { makeAuthority } from '../io/http/callback-receiver.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A pair of keys as the platform and as the application hold it. */
function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    entry: { type: 'ES256', secret: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() } as const,
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
}

const KEYS = { now: keyPair(), next: keyPair() };
const AUDIENCE = 'https://app.example';
const DOMAIN = 'care.example';

/** The options of an application as the README of the SDK writes it. */
export const rightOptions = (): HandlerOptions => ({
  keys: [KEYS.now, KEYS.next].map(({ publicKey }) => ({ algorithm: 'ES256', publicKey }) as const),
  audience: AUDIENCE,
  domain: DOMAIN,
  onFailure: () => undefined,
  on: {
    newAlarmbridgeEvent: () => ({ action: 'callEmergencyCenter' }),
    alarmSent: () => ({ noted: true }),
    platformAlarm: () => undefined,
  },
  other: () => ({ success: true }),
});

export const listenerOf = (handler: CallbackHandler): Listener => nodeListener(handler);

const authority = await makeAuthority();

/** Opens an application, and gives its address. */
export async function served(listener: Listener, onSocket?: (socket: Socket) => void) {
  const server = createServer(authority, listener);
  server.on('secureConnection', (socket: Socket) => onSocket?.(socket));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Rehearses the application at this address in all situations. */
export async function rehearsed(url: string, timeoutMs = 20_000) {
  const open = await openRehearsal({
    ...{ id: 'test', url, audience: AUDIENCE, domain: DOMAIN, timeoutMs, isTls: true },
    ...{ key: KEYS.now.entry, nextKey: KEYS.next.entry },
    ...{ allowPrivate: ['127.0.0.0/8'], ca: [authority.ca] },
  });
  try {
    return await open.rehearse(undefined, () => undefined);
  } finally {
    await open.close();
  }
}
