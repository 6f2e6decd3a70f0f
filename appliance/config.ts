import { hostname, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { hostPort } from '#shared/host-port.ts';
import type { LogLevel } from '#shared/log.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type CallRates,
  DEFAULT_MEDIA_LEGS,
  DEFAULT_RECORD_BYTES,
  DEFAULT_RETENTION,
  type Listen,
  type Listens,
  type MediaLegs,
  type ObjectStorage,
  type Retention,
  readSettings,
  type Sources,
  settingTable,
} from '#shared/setting/index.ts';

/** The settings of the appliance, read once and frozen. */
export interface ApplianceConfig {
  /** Folder of all state, absolute. */
  readonly data: string;
  /** `{base_url}` of the control plane; undefined = this appliance stands alone. */
  readonly cloud: string | undefined;
  readonly claim: string | undefined;
  /** The path of a signed claim file, in the place of `claim`. */
  readonly claimFile: string | undefined;
  readonly hostId: string;
  readonly siteId: string | undefined;
  readonly siteBaseUrl: string;
  /** Address put into Contact and SDP. */
  readonly address: string;
  /** Several, as of IPv4 and IPv6; none: that transport is off. So with every listener. */
  readonly sip: {
    readonly udp: readonly Listen[];
    readonly tcp: readonly Listen[];
    readonly tls: readonly Listen[];
    /** SIP over WebSocket on ports of its own; the HTTPS listener takes it, too. */
    readonly wss: readonly Listen[];
  };
  /** New calls that may begin; `off`: as many as come, for load tests. */
  readonly inviteRate: CallRates | 'off' | undefined;
  /** Alarms of unknown units. */
  readonly unknownUnitRate: CallRates | 'off' | undefined;
  readonly http: Listens;
  /** Audio: RTP on even ports, RTCP on odd ones. */
  readonly rtpPorts: { readonly from: number; readonly to: number };
  /** Legs that a media worker takes. */
  readonly mediaLegs: MediaLegs;
  /** The last eighth of the same range (chosen): connections of browsers, a port for each of our addresses. */
  readonly icePorts: { readonly from: number; readonly to: number };
  /** Receiver of DC-09 frames, TCP and UDP. */
  readonly dc09: readonly Listen[];
  /** The command queue: MQTT over TLS. */
  readonly commandQueue: readonly Listen[];
  /** Link to the other hosts of the site, and where they are (`host:port`) by hostId. */
  readonly peer: readonly Listen[];
  readonly peers: Readonly<Record<string, readonly string[]>>;
  /** That the hosts of the site share. */
  readonly sharedAddress: string | undefined;
  /** Folder for what lives as long as the machine is up; systemd makes one in memory. */
  readonly runFolder: string;
  readonly tlsFiles: { readonly cert: string; readonly key: string } | undefined;
  readonly trustFile: string | undefined;
  readonly allowPrivate: readonly string[];
  /** Where objects go; undefined = a folder of ours. */
  readonly s3: ObjectStorage | undefined;
  readonly retention: Retention;
  /** Bytes of captured messages; 0: none are captured. */
  readonly captureBytes: number;
  /** Capture server for SIP; undefined = none. */
  readonly hep: Listen | undefined;
  /** Bytes of records of sessions. */
  readonly recordBytes: number;
  /** JSON file of recognisers; undefined = none. */
  readonly recognisersFile: string | undefined;
  readonly log: LogLevel;
}

const LOOPBACK = '127.0.0.1';
const HTTPS: Listen = { host: '0.0.0.0', port: 8443 };
/** 1,750 legs and the browsers' share; a worker carries 800 at most. */
const RTP_PORTS = { first: 20_000, last: 23_999 };

/** Fails with `configurationWrong` and one sentence that names the key. */
export function applianceConfig(sources: Sources): Result<ApplianceConfig> {
  const reading = readSettings(settingTable, sources);
  if (!reading.ok) return reading;
  const { values } = reading.value;
  if ((values.tlsCert === undefined) !== (values.tlsKey === undefined)) {
    return fail('configurationWrong', 'CARILLON_TLS_CERT and CARILLON_TLS_KEY go together; set both or none');
  }
  if (values.claim !== undefined && values.cloud === undefined) {
    return fail('configurationWrong', 'CARILLON_CLAIM needs CARILLON_CLOUD: who shall take the claim code?');
  }
  if (values.claim !== undefined && values.claimFile !== undefined) {
    return fail('configurationWrong', 'CARILLON_CLAIM and CARILLON_CLAIM_FILE say the same; leave one out');
  }
  const address = values.address ?? firstAddress();
  const { first, last } = values.rtpPorts ?? RTP_PORTS;
  const firstIce = last + 1 - Math.ceil((last + 1 - first) / 8);
  const http = values.applianceHttp ?? { ...HTTPS, all: [HTTPS] };
  return ok(
    Object.freeze({
      data: resolve(values.data ?? './.carillon'),
      cloud: values.cloud,
      claim: values.claim,
      claimFile: values.claimFile,
      hostId: values.hostId ?? firstLabel(hostname()),
      siteId: values.siteId,
      siteBaseUrl: values.siteBaseUrl ?? `https://${hostPort(address, http.port)}`,
      address,
      sip: {
        udp: allOf(values.sipUdp),
        tcp: allOf(values.sipTcp),
        tls: allOf(values.sipTls),
        wss: allOf(values.sipWss),
      },
      inviteRate: values.rateLimits === 'off' ? 'off' : values.inviteRate,
      unknownUnitRate: values.rateLimits === 'off' ? 'off' : values.unknownUnitRate,
      http,
      rtpPorts: { from: first, to: firstIce - 1 },
      mediaLegs: values.mediaLegs ?? DEFAULT_MEDIA_LEGS,
      icePorts: { from: firstIce, to: last },
      dc09: allOf(values.dc09),
      commandQueue: allOf(values.commandQueue),
      peer: allOf(values.peer),
      peers: values.peers ?? {},
      sharedAddress: values.vip === undefined || values.vip === 'off' ? undefined : values.vip.address,
      runFolder: process.env.RUNTIME_DIRECTORY?.split(':')[0] ?? resolve(values.data ?? './.carillon'),
      tlsFiles:
        values.tlsCert === undefined || values.tlsKey === undefined
          ? undefined
          : { cert: values.tlsCert, key: values.tlsKey },
      trustFile: values.trust,
      allowPrivate: values.allowPrivate ?? [],
      s3: values.s3,
      retention: values.retention ?? DEFAULT_RETENTION,
      captureBytes: values.capture ?? 0,
      hep: values.hep,
      recordBytes: values.records ?? DEFAULT_RECORD_BYTES,
      recognisersFile: values.recognisers,
      log: values.log ?? 'info',
    }),
  );
}

/** Every address that a listener is configured to use. */
export const listensOf = ({ sip, http, dc09, commandQueue, peer }: ApplianceConfig): readonly Listen[] => [
  ...[...sip.udp, ...sip.tcp, ...sip.tls, ...sip.wss],
  ...[...http.all, ...dc09, ...commandQueue, ...peer],
];

const allOf = (listens: Listens | 'off' | undefined): readonly Listen[] =>
  listens === undefined || listens === 'off' ? [] : listens.all;

/** The first label of the host name in lower case, with what an id may not carry taken out. */
const firstLabel = (name: string): string =>
  (name.split('.')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9-]/g, '-') || 'host';

/** First address that is not loopback, IPv4 before IPv6: most devices on a site speak IPv4 only. */
function firstAddress(): string {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => !each.internal && !each.address.startsWith('fe80:'));
  const chosen = all.find((each) => each.family === 'IPv4') ?? all[0];
  return chosen?.address ?? LOOPBACK;
}
