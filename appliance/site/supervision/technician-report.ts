import { hostPort } from '#shared/host-port.ts';
import { redactLine, redactValue } from '#shared/redact/index.ts';
import type { Listen } from '#shared/setting/index.ts';
import type { HostIdentity } from '../identity.ts';

/** This machine as the technician's page shows it. */
export interface MachineInfo {
  readonly release: string;
  /** Undefined: this machine is no host. */
  readonly identity:
    | Pick<HostIdentity, 'hostId' | 'siteId' | 'domain' | 'expiresAtMs' | 'edgeUrl'>
    | undefined;
  /** Settings of this machine. */
  readonly setting: { readonly hostId: string; readonly cloud: string | undefined };
  readonly connected: boolean;
  readonly configured: boolean;
  /** Why this host cannot serve. */
  readonly faults: readonly string[];
  readonly figures: unknown;
  /** Rows of the journal that wait. */
  readonly waiting: unknown;
  /** Epoch ms. */
  readonly beganMs: number;
  readonly nowMs: number;
}

export const machineState = ({
  release,
  identity,
  setting,
  connected,
  configured,
  faults,
  figures,
  waiting,
  beganMs,
  nowMs,
}: MachineInfo) => ({
  release,
  hostId: identity?.hostId ?? setting.hostId,
  siteId: identity?.siteId ?? null,
  domain: identity?.domain ?? null,
  enrolled: identity !== undefined,
  certificateEnds: identity === undefined ? null : new Date(identity.expiresAtMs).toISOString(),
  cloud: setting.cloud ?? identity?.edgeUrl ?? null,
  connected,
  configured,
  faults,
  figures,
  waiting,
  upS: Math.round((nowMs - beganMs) / 1_000),
  time: new Date(nowMs).toISOString(),
});

/** The addresses of the machine, as `networkInterfaces` of Node gives them. */
export type MachineAddresses = Readonly<
  Record<
    string,
    | readonly { readonly internal: boolean; readonly cidr: string | null; readonly address: string }[]
    | undefined
  >
>;

export interface NetworkInfo {
  readonly interfaces: MachineAddresses;
  /** The address in Contact and SDP. */
  readonly address: string;
  /** By the name that the page shows. */
  readonly listeners: Readonly<Record<string, readonly Listen[]>>;
  readonly rtpPorts: { readonly from: number; readonly to: number };
  /** Text of resolv.conf(5). */
  readonly resolver: string;
}

/** Addresses, listeners and name servers of the machine, without its loopback. */
export const networkState = ({ interfaces, address, listeners, rtpPorts, resolver }: NetworkInfo) => ({
  interfaces: Object.entries(interfaces).flatMap(([name, addresses]) =>
    addresses === undefined || addresses.some(({ internal }) => internal)
      ? []
      : [{ name, addresses: addresses.map((each) => each.cidr ?? each.address) }],
  ),
  address,
  listeners: {
    ...Object.fromEntries(Object.entries(listeners).map(([name, at]) => [name, placesOf(at)])),
    RTP: `${rtpPorts.from}-${rtpPorts.to}`,
  },
  dns: resolver.split('\n').flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? []),
});

/** null: that listener is off. */
const placesOf = (listens: readonly Listen[]): string | null =>
  listens.map(({ host, port }) => hostPort(host, port)).join(', ') || null;

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'claim',
  'claimCode',
  'password',
  'secret',
  'token',
  'code',
]);

export interface SupportInfo {
  /** Epoch ms. */
  readonly atMs: number;
  readonly state: unknown;
  /** Parts of the machine. */
  readonly hardware: unknown;
  readonly selfTest: unknown;
  readonly network: unknown;
  readonly configuration: { readonly claim: string | undefined };
  readonly log: readonly string[];
}

/** Everything about this machine, without secrets, for a person who carries it away. */
export const supportBundle = ({
  atMs,
  state,
  hardware,
  selfTest,
  network,
  configuration,
  log,
}: SupportInfo): unknown =>
  redactValue(
    {
      kind: 'carillon-support',
      v: 1,
      at: new Date(atMs).toISOString(),
      state,
      hardware,
      selfTest,
      network,
      configuration: { ...configuration },
      log,
    },
    SECRET_FIELDS,
    configuration.claim === undefined ? [] : [configuration.claim],
  );

/** The lines of the log as the page shows them. */
export const logShown = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => redactLine(line));
