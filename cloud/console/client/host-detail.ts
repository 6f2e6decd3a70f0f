import type { Operations } from '#shared/client/index.ts';

/** A host as the list of its site shows it. */
export type Host = Operations['getSiteByDomain']['answer']['data']['site'][number];
/** A host beside others of its site. */
export type Neighbour = Pick<Host, 'siteId' | 'hostId' | 'hostName' | 'status'>;
/** A host as its own page shows it. */
export type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];
/** The path of a host in the API. */
export interface HostPath {
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
}
