import type { Result } from '#shared/result.ts';
import { captureSize } from './capture-size.ts';
import { DEFAULT_MEDIA_LEGS, mediaLegs, mediaLegsText } from './media-legs.ts';
import * as parse from './parse.ts';
import { DEFAULT_RECORD_MB, recordSize } from './record-size.ts';
import { DEFAULT_RETENTION, retention, retentionText } from './retention.ts';
import type { Program, Setting } from './setting.ts';
import { routerId, sharedAddress, sharingHosts } from './shared-address.ts';
import { timeHosts, timeServers } from './time-source.ts';

const CLOUD: readonly Program[] = ['cloud'];
const APPLIANCE: readonly Program[] = ['appliance'];
const BOTH: readonly Program[] = ['cloud', 'appliance'];

interface Extra {
  readonly fallback?: string;
  readonly secret?: boolean;
}

const setting = <T>(
  env: string,
  programs: readonly Program[],
  read: (text: string) => Result<T>,
  meaning: string,
  extra: Extra = {},
): Setting<T> => ({
  env,
  programs,
  parse: read,
  meaning,
  fallback: extra.fallback,
  secret: extra.secret ?? false,
});

/** The addresses of a listener. IPv6 beside IPv4 is a second address: beside another one `[::]` hears no IPv4. */
const several = (what: string): string => `${what}, several with commas (IPv6 too: 0.0.0.0:PORT,[::]:PORT)`;
const severalOrOff = (what: string): string => `${several(what)}; empty = off`;

/** Every setting of both daemons, in the order in which `carillon config show` prints them. */
export const settingTable = {
  config: setting('CARILLON_CONFIG', BOTH, parse.text, 'configuration file (TOML)'),
  data: setting('CARILLON_DATA', BOTH, parse.text, 'folder of all state', { fallback: './.carillon' }),
  http: setting('CARILLON_HTTP', CLOUD, parse.listen, 'API, console and docs', {
    fallback: '127.0.0.1:8080',
  }),
  publicUrl: setting('CARILLON_PUBLIC_URL', CLOUD, parse.webAddress, '{base_url} as seen from outside'),
  database: setting('CARILLON_DATABASE', CLOUD, parse.database, 'sqlite:FILE or postgres://…', {
    secret: true,
  }),
  mqtt: setting('CARILLON_MQTT', CLOUD, parse.brokers, 'embedded, or external brokers, several with commas', {
    fallback: 'embedded',
    secret: true,
  }),
  mqttUrl: setting(
    'CARILLON_MQTT_URL',
    CLOUD,
    parse.brokerAddresses,
    'external brokers as hosts see them, such as a load balancer; several with commas',
  ),
  mqttCert: setting('CARILLON_MQTT_CERT', CLOUD, parse.text, 'client certificate for the external brokers'),
  mqttKey: setting('CARILLON_MQTT_KEY', CLOUD, parse.text, 'key of that certificate'),
  mqttListen: setting('CARILLON_MQTT_LISTEN', CLOUD, parse.listen, 'embedded broker', {
    fallback: '127.0.0.1:1883',
  }),
  edge: setting('CARILLON_EDGE', CLOUD, parse.listen, 'listener for enrolled appliances (mutual TLS)', {
    fallback: '127.0.0.1:8444',
  }),
  edgeUrl: setting(
    'CARILLON_EDGE_URL',
    CLOUD,
    parse.webAddress,
    'https:// address of that listener as hosts see it, such as that of a load balancer',
  ),
  trustedProxies: setting(
    'CARILLON_TRUSTED_PROXIES',
    CLOUD,
    parse.proxyNetworks,
    'networks of load balancers that send PROXY protocol version 2 before each connection; empty = none',
  ),
  tlsCert: setting('CARILLON_TLS_CERT', BOTH, parse.text, 'PEM certificate for HTTPS and SIP over TLS'),
  tlsKey: setting('CARILLON_TLS_KEY', BOTH, parse.text, 'key of that certificate'),
  rateLimits: setting('CARILLON_RATE_LIMITS', BOTH, parse.oneOf('on', 'off'), 'off for load tests', {
    fallback: 'on',
  }),
  inviteRate: setting('CARILLON_INVITE_RATE', APPLIANCE, parse.callRates, 'new calls a second / at once', {
    fallback: 'source=100/500,tenant=250/1000',
  }),
  unknownUnitRate: setting(
    'CARILLON_UNKNOWN_UNIT_RATE',
    APPLIANCE,
    parse.alarmRates,
    'alarms of unknown units a second / at once, of a source network and of all',
    { fallback: 'source=1/200,tenant=5/400' },
  ),
  bootstrapToken: setting('CARILLON_BOOTSTRAP_TOKEN', CLOUD, parse.text, 'API token of the platform owner', {
    secret: true,
  }),
  vaultKey: setting('CARILLON_VAULT_KEY', CLOUD, parse.text, 'key that seals secrets in the database', {
    secret: true,
  }),
  vaultKeyCommand: setting(
    'CARILLON_VAULT_KEY_COMMAND',
    CLOUD,
    parse.text,
    'program that prints that key, instead: a script that asks a key service',
  ),
  cloud: setting('CARILLON_CLOUD', APPLIANCE, parse.webAddress, '{base_url} of the control plane'),
  claim: setting('CARILLON_CLAIM', APPLIANCE, parse.claimCode, 'claim code for enrolment', { secret: true }),
  claimFile: setting(
    'CARILLON_CLAIM_FILE',
    APPLIANCE,
    parse.text,
    'claim file for enrolment, instead of code',
  ),
  hostId: setting('CARILLON_HOST_ID', APPLIANCE, parse.label, 'name of this host in its site'),
  siteId: setting('CARILLON_SITE_ID', APPLIANCE, parse.label, 'site, when the claim does not name it'),
  siteBaseUrl: setting('CARILLON_SITE_BASE_URL', APPLIANCE, parse.webAddress, 'siteBaseUrl for customers'),
  address: setting(
    'CARILLON_ADDRESS',
    APPLIANCE,
    parse.text,
    'address put into SDP and Contact; a peer of the other family is told the one that leads to it',
  ),
  sipUdp: setting('CARILLON_SIP_UDP', APPLIANCE, parse.listensOrOff, severalOrOff('SIP over UDP'), {
    fallback: '0.0.0.0:5060',
  }),
  sipTcp: setting('CARILLON_SIP_TCP', APPLIANCE, parse.listensOrOff, severalOrOff('SIP over TCP'), {
    fallback: '0.0.0.0:5060',
  }),
  sipTls: setting('CARILLON_SIP_TLS', APPLIANCE, parse.listensOrOff, severalOrOff('SIP over TLS'), {
    fallback: '0.0.0.0:5061',
  }),
  sipWss: setting(
    'CARILLON_SIP_WSS',
    APPLIANCE,
    parse.listensOrOff,
    severalOrOff('SIP over WebSocket on a port of its own'),
  ),
  dc09: setting('CARILLON_DC09', APPLIANCE, parse.listensOrOff, severalOrOff('SIA DC-09 receiver'), {
    fallback: '0.0.0.0:6060',
  }),
  applianceHttp: setting(
    'CARILLON_APPLIANCE_HTTP',
    APPLIANCE,
    parse.listens,
    several('runtime API of the site, SIP over WebSocket'),
    {
      fallback: '0.0.0.0:8443',
    },
  ),
  commandQueue: setting(
    'CARILLON_COMMAND_QUEUE',
    APPLIANCE,
    parse.listensOrOff,
    severalOrOff('MQTT of the site'),
    {
      fallback: '0.0.0.0:8883',
    },
  ),
  peer: setting(
    'CARILLON_PEER',
    APPLIANCE,
    parse.listensOrOff,
    severalOrOff('link to the other hosts of the site'),
    {
      fallback: '0.0.0.0:8446',
    },
  ),
  peers: setting(
    'CARILLON_PEERS',
    APPLIANCE,
    parse.hosts,
    'where they are, if not at siteBaseUrl, port 8446: HOST=ADDRESS:PORT, with commas, a host at several addresses several times',
  ),
  vip: setting(
    'CARILLON_VIP',
    APPLIANCE,
    sharedAddress,
    'address that the hosts of the site share, ADDRESS/PREFIX (keepalived); empty = none',
  ),
  vipHosts: setting(
    'CARILLON_VIP_HOSTS',
    APPLIANCE,
    sharingHosts,
    'hosts that share it, the same text on each: ADDRESS=PRIORITY,ADDRESS=PRIORITY',
  ),
  vipId: setting('CARILLON_VIP_ID', APPLIANCE, routerId, 'number of it in its network (VRID), 1 to 255', {
    fallback: '51',
  }),
  time: setting(
    'CARILLON_TIME',
    APPLIANCE,
    parse.oneOf('auto', 'chrony', 'off'),
    'who keeps the clock: chrony where it runs (auto), chrony in any case, or nothing is touched (off)',
    { fallback: 'auto' },
  ),
  timeServers: setting(
    'CARILLON_TIME_SERVERS',
    APPLIANCE,
    timeServers,
    'time servers beside the gateway, NAME,NAME (chrony); unset = those of the network',
  ),
  timeHosts: setting(
    'CARILLON_TIME_HOSTS',
    APPLIANCE,
    timeHosts,
    'hosts of the site that give each other the time, the same text on each: ADDRESS,ADDRESS; unset = vip_hosts',
  ),
  rtpPorts: setting('CARILLON_RTP_PORTS', APPLIANCE, parse.portRange, 'media ports', {
    fallback: '20000-23999',
  }),
  mediaLegs: setting(
    'CARILLON_MEDIA_LEGS',
    APPLIANCE,
    mediaLegs,
    'legs of a media worker: new ordinary calls, alarms, and so few that none is refused',
    { fallback: mediaLegsText(DEFAULT_MEDIA_LEGS) },
  ),
  memoryProfile: setting(
    'CARILLON_MEMORY_PROFILE',
    APPLIANCE,
    parse.oneOf('small', 'standard', 'large'),
    'memory the service may take, by the size of the site: small, standard or large',
    { fallback: 'standard' },
  ),
  trust: setting('CARILLON_TRUST', BOTH, parse.text, 'PEM file of further CAs for outgoing connections'),
  allowPrivate: setting(
    'CARILLON_ALLOW_PRIVATE',
    BOTH,
    parse.networks,
    'private networks that callbacks may reach',
    {
      fallback: '',
    },
  ),
  pushServices: setting(
    'CARILLON_PUSH_SERVICES',
    CLOUD,
    parse.serviceNames,
    'host names of push services (*.example.com for all below) that may wake browsers of people for a waiting alarm; empty = none is ever called',
    { fallback: '' },
  ),
  s3: setting(
    'CARILLON_S3',
    BOTH,
    parse.objectStorage,
    'where objects go instead of a folder: https://KEYID:SECRET@host[:port]/?region=…&prefix={domain}/&bucket=…',
    { secret: true },
  ),
  retention: setting('CARILLON_RETENTION', BOTH, retention, 'days that each class of data is kept', {
    fallback: retentionText(DEFAULT_RETENTION),
  }),
  capture: setting(
    'CARILLON_CAPTURE',
    APPLIANCE,
    captureSize,
    'disk for captured messages (SIP, DC-09, callbacks; secrets replaced), MB; off = none',
    { fallback: '64' },
  ),
  hep: setting(
    'CARILLON_HEP',
    APPLIANCE,
    parse.listen,
    'capture server that gets a copy of each SIP message (HEP 3 over UDP), HOST:PORT; unset = none',
  ),
  records: setting('CARILLON_RECORDS', APPLIANCE, recordSize, 'disk for records of sessions, MB', {
    fallback: String(DEFAULT_RECORD_MB),
  }),
  recognisers: setting(
    'CARILLON_RECOGNISERS',
    APPLIANCE,
    parse.text,
    'JSON file of the programs and services that turn speech into text; unset = none, and no speech leaves this host',
  ),
  log: setting('CARILLON_LOG', BOTH, parse.oneOf('error', 'warn', 'info', 'debug'), 'log level', {
    fallback: 'info',
  }),
} as const;
