import type { FeedScope } from '#shared/contract/feed/index.ts';
import type { FeedAsk } from '#shared/contract/peer/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import { bundleSource, createEdgeClient, hostReader, peerSource } from '../io/edge/index.ts';
import { type FeedSource, feedChain, type VerifySigned } from '../replica/index.ts';
import type { HostIdentity } from '../site/index.ts';

/** In the order in which they are asked. */
const SOURCES = ['cloud', 'bundle', 'peer'] as const;
export type FeedOrigin = (typeof SOURCES)[number];

interface SiteFeedParts {
  readonly bundle: Parameters<typeof bundleSource>[0];
  readonly askFeed: (ask: FeedAsk) => Promise<unknown>;
  /** Keys of the platform that the configuration names now. */
  readonly keys: () => readonly VerifyKey[];
  /** Where the newest manifest of a scope has come from. */
  readonly onManifest: (scope: FeedScope, from: FeedOrigin) => void;
}

interface SiteFeed {
  readonly feed: FeedSource;
  readonly verify: VerifySigned;
}

/**
 * Where the configuration of an identity comes from, and who is believed: cloud, stick, other hosts of the site. One for both, since a
 * source also says which key has followed which.
 */
export function siteFeed({
  bundle,
  askFeed,
  keys,
  onManifest,
}: SiteFeedParts): (identity: HostIdentity) => SiteFeed {
  const opened = new WeakMap<HostIdentity, SiteFeed>();
  return (identity) => {
    const found = opened.get(identity);
    if (found !== undefined) return found;
    const statements = async (): Promise<readonly string[]> => {
      const said = await feed.keys?.();
      return said?.ok === true ? said.value : [];
    };
    const verify = hostReader(identity, keys, statements);
    const sources: Record<FeedOrigin, FeedSource> = {
      cloud: createEdgeClient(identity),
      bundle: bundleSource(bundle, identity, verify),
      peer: peerSource(askFeed),
    };
    const feed = feedChain(
      SOURCES.map((name) => sources[name]),
      (scope, place) => onManifest(scope, SOURCES[place] ?? 'cloud'),
    );
    opened.set(identity, { feed, verify });
    return { feed, verify };
  };
}
