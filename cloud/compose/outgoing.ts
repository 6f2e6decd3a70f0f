import { createCallbackRelay } from '../callback-relay/index.ts';
import { createCallbackClient, signJwt } from '../io/callback/index.ts';
import { digest } from '../io/digest/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { HttpListeners } from './listener.ts';

/** The outgoing calls: endpoints of tenants for alarms, and reachable hosts of sites. */
export function openOutgoing(
  { config, store, replica, authority, trustPem, log, clock, metric, closing }: Infrastructure,
  doors: HttpListeners,
) {
  const limits = {
    allowPrivate: config.allowPrivate,
    listeners: () => [
      { address: config.http.host, port: doors.listener.port },
      { address: config.edge.host, port: doors.edge.port },
    ],
  };
  const trusted = trustPem === undefined ? [] : [trustPem];
  const client = createCallbackClient({ ...limits, extraCas: trusted });
  // Hosts show certificates of ours, which no customer's endpoint may.
  const siteClient = createCallbackClient({ ...limits, extraCas: [...trusted, authority.ca] });
  closing.push(() => Promise.all([client.close(), siteClient.close()]));
  const relay = createCallbackRelay({
    store,
    replica,
    nowMs: clock.wallMs,
    random: digest.random,
    chance: Math.random,
    sha256: digest.sha256,
    signJwt,
    post: (request) => metric.attempt(client.post(request)),
    log,
  });
  return { relay, siteClient };
}

export type Outgoing = ReturnType<typeof openOutgoing>;
