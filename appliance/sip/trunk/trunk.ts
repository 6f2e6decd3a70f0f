/** One host of a trunk; priority and weight as in RFC 2782. */
export interface TrunkHost {
  /** SIP URI of the host, e.g. `sip:carrier.example;transport=tls`. */
  readonly uri: string;
  /** Lowest first. */
  readonly priority: number;
  /** Share among hosts of one priority; 0 only when no other is left. */
  readonly weight: number;
}

/** A carrier or an exchange, as the tenant configured it (decisions 3). */
export interface Trunk {
  readonly id: string;
  readonly name: string;
  /** Calls of devices and mappers that name this group leave here. */
  readonly trunkGroupId?: string | undefined;
  readonly direction: 'in' | 'out' | 'both';
  readonly hosts: readonly TrunkHost[];
  /** To hosts whose URI names no transport. */
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Addresses and CIDR blocks that calls may come from. */
  readonly ipAllowList: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly register: boolean;
  /** Inbound calls show it in X-Trunk-Key, beside `terminatingTrunkGroupId` in X-Terminating-Trunk-Group-Id. */
  readonly trunkKey?: string | undefined;
  readonly terminatingTrunkGroupId?: string | undefined;
  /** Best first. */
  readonly codecs: readonly ('PCMA' | 'PCMU' | 'GSM')[];
  readonly srtp: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
  /** Its hosts are behind NAT: audio goes to where theirs comes from. */
  readonly forceRtpRelay: boolean;
  /** Its emergency calls carry location and facts of the device. */
  readonly emergencyData?: boolean | undefined;
  /** Only numbers that begin so leave here. */
  readonly numberPrefix?: string | undefined;
  /** Signs taken from the front of the called number, before `prepend` is put there. */
  readonly strip: number;
  readonly prepend: string;
  /** ms between OPTIONS to each host; 0: none. */
  readonly optionsInterval: number;
}
