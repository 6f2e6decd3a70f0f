/** The desired configuration of an interface. `address` absent: DHCP. */
export interface NetworkPlanRequest {
  readonly name: string;
  readonly address?: string;
  /** More of the same interface, of the family of the first. */
  readonly further?: readonly string[];
  readonly gateway?: string;
  readonly dns: readonly string[];
  /** Domains by which short names are looked up. */
  readonly search: readonly string[];
  readonly ntp: readonly string[];
  /** The configuration of the other family, which stays; absent when it is unknown. */
  readonly other?: OtherFamily;
}

/** IPv6 beside a change of IPv4, and the other way round. */
export interface OtherFamily {
  /** The network gives addresses: DHCP, or router advertisements. */
  readonly dynamic: boolean;
  /** Given by hand, with prefix. */
  readonly addresses: readonly string[];
  readonly gateway?: string;
}
