import type { TenantModel } from './tenant-model.ts';

/** Where this appliance stands: what callbacks and reply ids say of it. */
export interface Place {
  readonly siteId: string;
  readonly hostId: string;
  readonly siteBaseUrl: string;
  /** Address of this node as `ivrServer` shows it. */
  readonly address: string;
  /** Term of the site. */
  readonly epoch: number;
}

/** The configuration of the tenant and the position of this host, as engines read them. */
export interface TenantPorts {
  /** The configuration in force now. */
  readonly tenant: () => TenantModel;
  readonly place: Place;
}
