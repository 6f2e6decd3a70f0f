import { readFileSync } from 'node:fs';
import { ALARM_QUEUE_CAPABILITY } from '#shared/contract/alarm-queue/index.ts';
import { RECORD_CAPABILITY } from '#shared/contract/session-record/index.ts';
import { bracketed } from '#shared/host-port.ts';
import { ulid } from '#shared/id.ts';
import {
  type Ability,
  type Admit,
  type Broker,
  type Dial,
  type Finding,
  openBroker,
  openEmbeddedBroker,
  probeAbilities,
  probeRights,
  sharedAbilities,
  shownUrl,
  worstFindings,
} from '../io/broker/index.ts';
import { digest } from '../io/digest/index.ts';
import { callable, isLoopback } from '../io/listener/index.ts';
import type { HostReach } from '../site/index.ts';
import { type Infrastructure, machineClock } from './infrastructure.ts';
import type { Lease } from './lease.ts';
import { type HttpListeners, trustedProxies } from './listener.ts';
import { listeningAt } from './listening.ts';

/** The broker, ours or another, and what hosts must know to reach it. */
export interface Link {
  readonly broker: Broker;
  readonly reach: Pick<HostReach, 'brokerUrl' | 'brokerUrls' | 'plainJwt'>;
  /** External brokers without what opens them, in the order of the setting; empty = the embedded one. */
  readonly urls: readonly string[];
  readonly renew: Awaited<ReturnType<typeof openEmbeddedBroker>>['renew'];
  readonly mode: 'embedded' | 'external';
  /** Tries what each broker can do: an ability counts that all of them have. */
  readonly abilities: () => Promise<readonly Ability[]>;
  /** Tries whom a broker that is not ours lets in. */
  readonly rights?: () => Promise<readonly Finding[]>;
}

/** Name of one trial. */
const probeId = (): string => ulid(machineClock.wallMs(), digest.random(10));

export async function openLink(
  infrastructure: Infrastructure,
  listeners: HttpListeners,
  admit: Admit,
  lease: Lease,
): Promise<Link> {
  const { config, log, closing } = infrastructure;
  const onDown = (sh: string, reason: string, broker: number): void => {
    const url = config.mqtt?.urls[broker];
    const at = url === undefined ? {} : { broker: shownUrl(url) };
    log('warn', 'broker.shard_lost', 'A shard lost its broker', { sh, reason, ...at });
  };
  const link =
    config.mqtt === undefined
      ? await embeddedLink(infrastructure, listeners, admit, { lease, onDown })
      : externalLink(infrastructure, config.mqtt, { lease, onDown });
  // Hosts hear of an end only when no other replica goes on.
  closing.push(() => link.broker.close(lease.replicas() > 1 ? 'handOver' : 'goodbye'));
  return link;
}

/** Tries one of the brokers; the reason of a failure names it. */
const triedAt = (dial: Extract<Dial, { kind: 'url' }>): Promise<readonly Ability[]> =>
  probeAbilities({ id: probeId(), dial }).catch((cause: Error) => {
    throw new Error(`${shownUrl(dial.url)}: ${cause.message}`, { cause });
  });

/** The shards of this process, and who hears of shards without broker. */
interface Ownership {
  readonly lease: Lease;
  readonly onDown: (sh: string, reason: string, broker: number) => void;
}

function externalLink(
  { trustPem, authority, isSole }: Infrastructure,
  mqtt: NonNullable<Infrastructure['config']['mqtt']>,
  { lease, onDown }: Ownership,
): Link {
  const tls = {
    ...(mqtt.certFile === undefined ? {} : { cert: readFileSync(mqtt.certFile, 'utf8') }),
    ...(mqtt.keyFile === undefined ? {} : { key: readFileSync(mqtt.keyFile, 'utf8') }),
    ...(trustPem === undefined ? {} : { ca: trustPem }),
  };
  const dials = mqtt.urls.map((url) => ({ kind: 'url', url, tls }) as const);
  const broker = openBroker({
    dials,
    heartbeats: `cp-h-${lease.replica}`,
    ...(!isSole && { requests: `cp-r-${lease.replica}` }),
    // Its revocation list keeps a host out; who is connected stays until then.
    kick: () => undefined,
    closeBroker: async () => undefined,
    owned: lease.owned(),
    isOwned: lease.owns,
    cap: [RECORD_CAPABILITY, ALARM_QUEUE_CAPABILITY],
    random: digest.random,
    onDown,
  });
  const urls = mqtt.urls.map(shownUrl);
  const hostUrls = mqtt.hostUrls ?? urls;
  const [brokerUrl = ''] = hostUrls;
  // One that hosts know from their enrolment needs no second word in their twins.
  const isReported = hostUrls.length > 1 || mqtt.hostUrls !== undefined;
  return {
    broker,
    reach: { brokerUrl, ...(isReported && { brokerUrls: hostUrls }), plainJwt: false },
    urls,
    renew: () => undefined,
    mode: 'external',
    abilities: async () => sharedAbilities(await Promise.all(dials.map(triedAt))),
    rights: async () =>
      worstFindings(
        await Promise.all(
          mqtt.urls.map(async (url) => ({
            at: shownUrl(url),
            findings: await probeRights(authority, { url, ca: trustPem, owner: tls }),
          })),
        ),
      ),
  };
}

async function embeddedLink(
  infrastructure: Infrastructure,
  { names, publicUrl }: HttpListeners,
  admit: Admit,
  { lease, onDown }: Ownership,
): Promise<Link> {
  const { config, authority, log, clock, metric } = infrastructure;
  const { mqttListen } = config;
  const plainJwt = isLoopback(mqttListen.host);
  const opening = openEmbeddedBroker({
    listen: mqttListen,
    tls: plainJwt ? undefined : await authority.issueServer(names, clock.wallMs()),
    admit,
    rateLimits: config.rateLimits,
    proxies: trustedProxies(infrastructure),
    onRefused: (refused) => {
      metric.notLetIn('broker');
      log('warn', 'broker.connection_refused', 'The broker refused a connection', { ...refused });
    },
  });
  const embedded = await listeningAt('the broker', 'CARILLON_MQTT_LISTEN', mqttListen, opening);
  const broker = openBroker({
    dials: [{ kind: 'stream', open: embedded.dial }],
    onHeartbeat: embedded.onHeartbeat,
    kick: embedded.kick,
    closeBroker: embedded.close,
    owned: lease.owned(),
    isOwned: lease.owns,
    cap: [RECORD_CAPABILITY, ALARM_QUEUE_CAPABILITY],
    random: digest.random,
    onDown,
  });
  const host = bracketed(callable(mqttListen.host, publicUrl));
  const brokerUrl = `${plainJwt ? 'mqtt' : 'mqtts'}://${host}:${embedded.port}`;
  return {
    broker,
    reach: { brokerUrl, plainJwt },
    urls: [],
    renew: embedded.renew,
    mode: 'embedded',
    abilities: () => probeAbilities({ id: probeId(), dial: { kind: 'inside', open: embedded.dialProbe } }),
  };
}
