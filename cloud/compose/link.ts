import { readFileSync } from 'node:fs';
import { ALARM_QUEUE_CAPABILITY } from '#shared/contract/alarm-queue/index.ts';
import { RECORD_CAPABILITY } from '#shared/contract/session-record/index.ts';
import { bracketed } from '#shared/host-port.ts';
import { ulid } from '#shared/id.ts';
import {
  type Ability,
  type Admit,
  type Broker,
  type Finding,
  openBroker,
  openEmbeddedBroker,
  probeAbilities,
  probeRights,
} from '../io/broker/index.ts';
import { digest } from '../io/digest/index.ts';
import { callable, isLoopback } from '../io/listener/index.ts';
import type { HostReach } from '../site/index.ts';
import { type Infrastructure, machineClock } from './infrastructure.ts';
import type { Lease } from './lease.ts';
import type { HttpListeners } from './listener.ts';
import { listeningAt } from './listening.ts';

/** The broker, ours or another, and what hosts must know to reach it. */
export interface Link {
  readonly broker: Broker;
  readonly reach: Pick<HostReach, 'brokerUrl' | 'plainJwt'>;
  readonly renew: Awaited<ReturnType<typeof openEmbeddedBroker>>['renew'];
  readonly mode: 'embedded' | 'external';
  /** Tries what the broker can do. */
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
  const onDown = (sh: string, reason: string): void =>
    log('warn', 'broker.shard_lost', 'A shard lost its broker', { sh, reason });
  const link =
    config.mqtt === undefined
      ? await embeddedLink(infrastructure, listeners, admit, { lease, onDown })
      : externalLink(infrastructure, config.mqtt, { lease, onDown });
  // Hosts hear of an end only when no other replica goes on.
  closing.push(() => link.broker.close(lease.replicas() > 1 ? 'handOver' : 'goodbye'));
  return link;
}

/** The shards of this process, and who hears of shards without broker. */
interface Ownership {
  readonly lease: Lease;
  readonly onDown: (sh: string, reason: string) => void;
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
  const dial = { kind: 'url', url: mqtt.url, tls } as const;
  const broker = openBroker({
    dial,
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
  const url = new URL(mqtt.url);
  return {
    broker,
    reach: { brokerUrl: `${url.protocol}//${url.host}`, plainJwt: false },
    renew: () => undefined,
    mode: 'external',
    abilities: () => probeAbilities({ id: probeId(), dial }),
    rights: () => probeRights(authority, { url: mqtt.url, ca: trustPem, owner: tls }),
  };
}

async function embeddedLink(
  { config, authority, log, clock, metric }: Infrastructure,
  { names, publicUrl }: HttpListeners,
  admit: Admit,
  { lease, onDown }: Ownership,
): Promise<Link> {
  const { mqttListen } = config;
  const plainJwt = isLoopback(mqttListen.host);
  const opening = openEmbeddedBroker({
    listen: mqttListen,
    tls: plainJwt ? undefined : await authority.issueServer(names, clock.wallMs()),
    admit,
    rateLimits: config.rateLimits,
    onRefused: (refused) => {
      metric.notLetIn('broker');
      log('warn', 'broker.connection_refused', 'The broker refused a connection', { ...refused });
    },
  });
  const embedded = await listeningAt('the broker', 'CARILLON_MQTT_LISTEN', mqttListen, opening);
  const broker = openBroker({
    dial: { kind: 'stream', open: embedded.dial },
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
    renew: embedded.renew,
    mode: 'embedded',
    abilities: () => probeAbilities({ id: probeId(), dial: { kind: 'inside', open: embedded.dialProbe } }),
  };
}
