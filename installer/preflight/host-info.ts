/** A port that another program holds. */
export interface PortTaken {
  /** Id of the check: `port-5060`, `rtp-ports`. */
  readonly check: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp';
  /** Program and process id, when the system tells. */
  readonly holder: string | undefined;
}

export interface InterfaceFact {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Programs that claim to configure it; one is right. */
  readonly owners: readonly ('networkd' | 'NetworkManager' | 'netplan' | 'ifupdown')[];
}

export type CloudFact =
  | { readonly kind: 'none' }
  | { readonly kind: 'reached'; readonly certificateDays: number | undefined }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** A server answers that is not the control plane: a sign-in page of the network. */
  | { readonly kind: 'portal'; readonly reason: string }
  | { readonly kind: 'certificate'; readonly reason: string };

/** The effect of a device on the way to a SIP server on SIP; `unmeasured`: no such server answered, or none is known. */
export type GatewayFact =
  | { readonly kind: 'unmeasured'; readonly asked: string | undefined }
  | { readonly kind: 'untouched'; readonly found: string }
  | { readonly kind: 'rewritten'; readonly found: string };

/** The facts found on the host; undefined = it could not be found out. */
export interface HostFacts {
  readonly uid: number;
  /** CPU of the machine and the one this program was built for, in Node's words. */
  readonly machineCpu: string;
  readonly programCpu: string;
  readonly glibc: string | undefined;
  readonly systemd: { readonly version: number | undefined; readonly running: boolean };
  readonly freeOptMb: number | undefined;
  readonly freeStateMb: number | undefined;
  readonly memoryMb: number;
  readonly portsTaken: readonly PortTaken[];
  /** Ports that were looked at, by the id of their check. */
  readonly portChecks: readonly string[];
  /** Folders in which an addon can be unpacked, and whether programs may run there. */
  readonly folders: readonly { readonly path: string; readonly executable: boolean }[];
  readonly clock: { readonly synchronised: boolean | undefined; readonly offsetMs: number | undefined };
  readonly dns: { readonly name: string | undefined; readonly error: string | undefined };
  readonly cloud: CloudFact;
  readonly interfaces: readonly InterfaceFact[];
  /** Interface over which the person is logged in. */
  readonly sshInterface: string | undefined;
  readonly fsyncP99Ms: number | undefined;
  readonly espeak: boolean;
  readonly gateway: GatewayFact;
  /** A product of ours that is there already. */
  readonly installed: { readonly version: string; readonly packaged: boolean } | undefined;
}
