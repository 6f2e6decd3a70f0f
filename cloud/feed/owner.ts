import type { FeedScope } from '#shared/contract/feed/index.ts';
import type { HostRow } from '../store/index.ts';

type Place = Pick<HostRow, 'tenant' | 'siteId' | 'uid'>;

/** Owners of the rows that a host gets, by scope. */
export const ownersOf = ({ tenant, siteId, uid }: Place): Readonly<Record<FeedScope, string>> => ({
  tenant,
  site: `${tenant}/${siteId}`,
  host: uid,
  platform: '',
});

/** The owner of the rows of this scope that a host gets. */
export const ownerOf = (host: Place, scope: FeedScope): string => ownersOf(host)[scope];
