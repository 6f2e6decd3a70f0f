import type { FeedScope } from '#shared/contract/feed/index.ts';
import type { HostRow } from '../store/index.ts';

type Place = Pick<HostRow, 'tenant' | 'siteId' | 'uid'>;

/** Whose rows of each scope a host gets. */
export const ownersOf = ({ tenant, siteId, uid }: Place): Readonly<Record<FeedScope, string>> => ({
  tenant,
  site: `${tenant}/${siteId}`,
  host: uid,
  platform: '',
});

/** Whose rows of a scope a host gets. */
export const ownerOf = (host: Place, scope: FeedScope): string => ownersOf(host)[scope];
