import type { FeedAsk } from '#shared/contract/peer/index.ts';
import { createEdgeClient, type EdgeClient } from '../io/edge/index.ts';
import type { HostIdentity } from '../site/index.ts';

/** Asks the cloud for another host of the site, or about it, with the certificate of this one. */
export function peerFeed(identity: () => HostIdentity | undefined) {
  let client: EdgeClient | undefined;
  let of: HostIdentity | undefined;
  const edge = async (): Promise<EdgeClient | undefined> => {
    const own = identity();
    if (own === undefined) return undefined;
    if (own !== of) await client?.close();
    if (own !== of || client === undefined) client = createEdgeClient(own);
    of = own;
    return client;
  };
  return {
    /** Signed bytes for it. */
    feed: async (uid: string, ask: FeedAsk): Promise<unknown> => (await edge())?.for(uid, ask),
    /** The cloud has word of it; undefined: it is not reached. */
    cloudSees: async (uid: string): Promise<boolean | undefined> => (await edge())?.sees(uid),
  };
}
