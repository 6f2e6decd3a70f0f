import type { FeedScope } from '#shared/contract/feed/index.ts';
import type { HostRow } from '../store/index.ts';

/** Whose rows of a scope a host gets. */
export function ownerOf({ tenant, siteId, uid }: HostRow, scope: FeedScope): string {
  switch (scope) {
    case 'platform':
      return '';
    case 'tenant':
      return tenant;
    case 'site':
      return `${tenant}/${siteId}`;
    case 'host':
      return uid;
  }
}
