import { createCallbackRelay } from '../callback-relay/index.ts';
import { createCallbackClient, signJwt } from '../io/callback/index.ts';
import { digest } from '../io/digest/index.ts';
import { openSenderKey } from '../io/key/index.ts';
import { pushSender } from '../io/web-push/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { HttpListeners } from './listener.ts';

/** The outgoing calls: endpoints of tenants for alarms, and reachable hosts of sites. */
export function openOutgoing(
  { config, keys, store, replica, authority, trustPem, log, clock, metric, closing }: Infrastructure,
  listeners: HttpListeners,
) {
  const { publicUrl } = listeners;
  const limits = {
    allowPrivate: config.allowPrivate,
    listeners: () => [
      { address: config.http.host, port: listeners.listener.port },
      { address: config.edge.host, port: listeners.edge.port },
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
  // A push service with questions asks there.
  const contact = publicUrl.startsWith('https:') ? publicUrl : undefined;
  const pushKey = openSenderKey(keys.of('webPush').text(), contact);
  const sendPush = pushSender({
    key: pushKey,
    post: client.post,
    random: digest.random,
    nowMs: clock.wallMs,
  });
  return { relay, siteClient, push: { publicKey: pushKey.publicKey, send: sendPush } };
}

export type Outgoing = ReturnType<typeof openOutgoing>;
