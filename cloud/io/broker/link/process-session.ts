import type { IClientOptions } from 'mqtt';
import { OWNER_KEEPALIVE_S } from '#shared/contract/feed/index.ts';
import { type Dial, securityOf } from './owner-link.ts';

const RECONNECT_MS = 2_000;

/**
 * Options of a connection that a process has for itself: its session ends with it, and it comes back by itself. `clientId`: one for each
 * process, so that no other connection pushes it out.
 */
export const processSession = (clientId: string, dial: Extract<Dial, { kind: 'url' }>): IClientOptions => ({
  clientId,
  protocolVersion: 4,
  clean: true,
  keepalive: OWNER_KEEPALIVE_S,
  connectTimeout: 10_000,
  reconnectPeriod: RECONNECT_MS,
  resubscribe: false,
  // A question without connection is answered with `unreachable`, and does not leave later.
  queueQoSZero: false,
  ...securityOf(dial),
});
