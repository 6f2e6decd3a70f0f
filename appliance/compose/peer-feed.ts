import type { FeedAsk } from '#shared/contract/peer/index.ts';
import { createEdgeClient, type EdgeClient } from '../io/edge/index.ts';
import type { HostIdentity } from '../site/index.ts';

/** Asks the cloud for another host of the site, with the certificate of this one. */
export function peerFeed(identity: () => HostIdentity | undefined) {
  let client: EdgeClient | undefined;
  let of: HostIdentity | undefined;
  return async (uid: string, ask: FeedAsk): Promise<unknown> => {
    const own = identity();
    if (own === undefined) return undefined;
    if (own !== of) await client?.close();
    if (own !== of || client === undefined) client = createEdgeClient(own);
    of = own;
    return await client.for(uid, ask);
  };
}
