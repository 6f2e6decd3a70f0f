import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { createCallbackRelay } from './callback-relay/index.ts';
import { type CloudConfig, cloudConfig } from './config.ts';
import { createFeed } from './feed/index.ts';
import {
  alarmCallRouter,
  bulkRouter,
  createApp,
  createEdgeApp,
  enrolmentRouter,
  logRouter,
  siteAlarmRouter,
  siteRouter,
  usageRouter,
} from './http/index.ts';
import { readDocsAsset } from './io/api-page/index.ts';
import { type Authority, openAuthority } from './io/authority/index.ts';
import { type Admit, type Broker, openBroker, openEmbeddedBroker, watchShards } from './io/broker/index.ts';
import { createCallbackClient, signJwt } from './io/callback/index.ts';
import { readCsv } from './io/csv/index.ts';
import { openDatabase, readMigrations } from './io/database/index.ts';
import { digest } from './io/digest/index.ts';
import {
  createSiteKey,
  isSignedBy,
  isSiteSignature,
  keptToken,
  openSigner,
  openVault,
  type Vault,
} from './io/key/index.ts';
import {
  bracketed,
  callable,
  edgePeerOf,
  isLoopback,
  openEdgeListener,
  openPublicListener,
  serverNames,
} from './io/listener/index.ts';
import { type Log, openLog } from './io/log/index.ts';
import { every, oneAtATime } from './io/timer/index.ts';
import { createTokenPort } from './io/token/index.ts';
import {
  createAlarmDesk,
  createLogDesk,
  createMonitoring,
  createUsageDesk,
  hostMetric,
} from './monitoring/index.ts';
import { createProvisioning, deviceBulk } from './provisioning/index.ts';
import {
  configAcknowledged,
  createRuntimeRelay,
  createSites,
  type Reach,
  tenantHeldByHosts,
} from './site/index.ts';
import { createStore, migrate, type Store, sealStored } from './store/index.ts';
import { createTenancy } from './tenant/index.ts';

/** The control plane, answering. */
export interface RunningCloud {
  readonly ready: Readonly<Record<string, unknown>>;
  /** By which the first owner comes in: at first start, and again when nobody used it in time. */
  readonly setupLink?: string;
  readonly close: () => Promise<void>;
}

const VERSION = '0.1.0';
/** Term of the ownership of all shards; one replica owns them for good. */
const EPOCH = 1;
const TICK_MS = 1_000;
const DAY_MS = 86_400_000;
const compressed = promisify(gzip);
const { sha256, random } = digest;
const clock = { wallMs: () => Date.now(), monoMs: () => performance.now() };

/** Starts the control plane. Fails with one sentence that names the setting, the file or the address. */
export async function start(sources: Sources): Promise<Result<RunningCloud>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  try {
    return ok(await startCloud(config.value, openLog(config.value.log)));
  } catch (cause) {
    return fail('notStarted', cause instanceof Error ? cause.message : String(cause));
  }
}

/** As `start`, from settings that were read already; throws what hinders it, with everything closed again. */
export async function startCloud(config: CloudConfig, log: Log): Promise<RunningCloud> {
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    return { ...(await compose(config, log, closing)), close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Everything is constructed and joined here; what must end later is noted in `closing`, last first. */
async function compose(
  config: CloudConfig,
  log: Log,
  closing: (() => unknown)[],
): Promise<Omit<RunningCloud, 'close'>> {
  const { data } = config;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const bootstrapToken = config.bootstrapToken ?? keptToken(join(data, 'bootstrap-token'));
  const vault = openVault(join(data, 'key'), { given: config.vaultKey, credentials: config.credentials });
  const store = await openStore(config, vault, log, closing);
  const signer = openSigner(join(data, 'key'), vault);
  const authority = await openAuthority(join(data, 'authority'), clock.wallMs());
  const trustPem = config.trustFile === undefined ? undefined : readFileSync(config.trustFile, 'utf8');

  const listener = await openPublicListener(config.http, config.tlsFiles);
  closing.push(() => listener.close());
  const scheme = config.tlsFiles === undefined ? 'http' : 'https';
  const publicUrl =
    config.publicUrl ?? `${scheme}://${bracketed(callable(config.http.host))}:${listener.port}`;
  const names = serverNames([config.edge, config.mqttListen], publicUrl);
  const edge = await openEdgeListener(config.edge, await authority.issueServer(names, clock.wallMs()));
  closing.push(() => edge.close());

  const outgoing = {
    allowPrivate: config.allowPrivate,
    listeners: () => [
      { address: config.http.host, port: listener.port },
      { address: config.edge.host, port: edge.port },
    ],
  };
  const trusted = trustPem === undefined ? [] : [trustPem];
  const client = createCallbackClient({ ...outgoing, extraCas: trusted });
  // Hosts show certificates of ours, which no customer's endpoint may.
  const siteClient = createCallbackClient({ ...outgoing, extraCas: [...trusted, authority.ca] });
  closing.push(() => Promise.all([client.close(), siteClient.close()]));
  const relay = createCallbackRelay({
    store,
    nowMs: clock.wallMs,
    random,
    chance: Math.random,
    sha256,
    signJwt,
    post: client.post,
    log,
  });

  const mac = randomBytes(32);
  const hostChanged = (uid: string): void => {
    feed.hostChanged(uid);
    monitoring.hostChanged(uid);
    // A host that was shut out is out now, not at its next connection.
    admit(uid, undefined).then(
      (host) => host === undefined && link.broker.kick(uid),
      (cause: unknown) => log('error', 'a host could not be looked up', { uid, cause: String(cause) }),
    );
  };
  const sites = createSites({
    store,
    random,
    sha256,
    mac: (text) => createHmac('sha256', mac).update(text).digest('base64url'),
    isSignedBy,
    vault,
    createSiteKey,
    authority,
    verifyKeys: signer.verifyKeys,
    reach: (): Reach => ({
      publicUrl,
      edgeUrl: `https://${bracketed(callable(config.edge.host, publicUrl))}:${edge.port}`,
      ...link.reach,
    }),
    onHostChanged: hostChanged,
    onUnknownHost: (address) => log('warn', 'a machine came without a valid claim code', { address }),
  });
  const admit: Admit = (uid, serial) =>
    sites.admit(uid, serial, 'broker', {
      name: `host:${uid}`,
      address: '',
      requestId: '',
      at: clock.wallMs(),
    });

  const link = await openLink(config, authority, names, publicUrl, admit, trustPem, log);
  closing.push(() => link.broker.close());
  const { publish } = link.broker;
  const feed = createFeed({
    store,
    nowMs: clock.wallMs,
    sha256,
    sha256Bytes: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    gzip: (text) => compressed(text),
    sign: signer.sign,
    publish: (topic, payload) => publish(topic, payload, { retain: true }),
    after: (ms, run) => void setTimeout(run, ms),
    log,
  });
  const monitoring = createMonitoring({
    store,
    clock,
    random,
    publish: (topic, payload) => publish(topic, payload),
    relay: relay.enqueue,
    configAcknowledged,
    onHostChanged: hostChanged,
    log,
  });
  const { ask } = monitoring;
  const runtimeRelay = createRuntimeRelay({ store, isSiteSignature, ask, post: siteClient.ask });
  closing.push(async () => {
    feed.stop();
    await Promise.all([feed.idle(), monitoring.stop()]);
  });
  await feed.start({ ca: authority.ca, verifyKeys: signer.verifyKeys, publicUrl });
  await monitoring.start();
  const shardsDown = watchShards(link.broker, (sh, up) => {
    monitoring.shard(sh, up);
    if (up) feed.shardUp(sh);
  });
  link.broker.onMessage(monitoring.message);

  const core = { store, ...digest };
  const tenancy = createTenancy({
    ...core,
    token: createTokenPort(),
    sign: signer.sign,
    publicUrl,
    bootstrapTokenHash: sha256(bootstrapToken),
    tenantHeldBy: tenantHeldByHosts,
  });
  const provisioning = createProvisioning(core);
  const bulk = deviceBulk(
    {
      store,
      nowMs: clock.wallMs,
      readCsv,
      breathe: () => setImmediate(),
      onDefect: (error, bulkId) => log('error', 'defect in a load', { bulkId, error: stackOf(error) }),
    },
    provisioning.device.putMany,
  );
  await bulk.recover();
  closing.push(() => bulk.stop());
  const app = createApp({
    tenancy,
    provisioning,
    publicUrl,
    version: VERSION,
    brokerUrl: link.reach.brokerUrl,
    nowMs: clock.wallMs,
    random,
    sha256,
    rateLimits: config.rateLimits,
    listenerOnLoopback: isLoopback(config.http.host),
    docsAsset: readDocsAsset,
    // Alarms first: `alarm` is no site.
    routers: [
      siteAlarmRouter(createAlarmDesk(store)),
      siteRouter(sites),
      bulkRouter(bulk),
      logRouter(createLogDesk(store)),
      usageRouter(createUsageDesk(store)),
      alarmCallRouter(runtimeRelay),
      enrolmentRouter(sites, clock.wallMs),
    ],
    readiness: [async () => (shardsDown() === 0 ? null : `${shardsDown()} shards have no broker`)],
    metrics: [() => hostMetric(monitoring.counts())],
    onDefect: (error, requestId) => log('error', 'defect in a route', { requestId, error: stackOf(error) }),
  });
  const edgeApp = createEdgeApp({
    sites,
    feed,
    peerOf: edgePeerOf,
    nowMs: clock.wallMs,
    onDefect: (error) => log('error', 'defect at the edge listener', { error: stackOf(error) }),
  });
  await link.broker.ready;
  closing.push(every(TICK_MS, monitoring.tick));
  const undelivered = (cause: unknown) =>
    log('error', 'delivering platform alarms failed', { cause: String(cause) });
  closing.push(every(TICK_MS, oneAtATime(relay.deliver, undelivered)));
  closing.push(
    every(DAY_MS, () => {
      authority.issueServer(names, clock.wallMs()).then(
        (tls) => {
          edge.renew(tls);
          link.renew(tls);
        },
        (cause: unknown) => log('error', 'no new certificate for our listeners', { cause: String(cause) }),
      );
    }),
  );
  edge.serve(edgeApp.fetch);
  listener.serve(app.fetch);
  const ready = {
    api: publicUrl,
    docs: `${publicUrl}/docs`,
    mqtt: link.reach.brokerUrl,
    edge: sites.reach().edgeUrl,
    domain: null,
    siteId: null,
    hostId: null,
  };
  const setupLink = await tenancy.setup.firstLink(clock.wallMs());
  return { ready, ...(setupLink === undefined ? {} : { setupLink }) };
}

async function openStore(
  config: CloudConfig,
  vault: Vault,
  log: Log,
  closing: (() => unknown)[],
): Promise<Store> {
  const database = openDatabase(config.database, vault, (error) =>
    log('warn', 'a database connection was lost', { reason: error.message }),
  );
  closing.push(() => database.connection.close());
  const ran = await migrate(database, readMigrations(database.connection.dialect), clock.wallMs());
  if (ran.length > 0) log('info', 'database brought up to this version', { migrations: ran });
  const store = createStore(database);
  const resealed = await sealStored(database, store, clock.wallMs());
  if (resealed > 0) log('info', 'secrets of an earlier version sealed', { rows: resealed });
  return store;
}

/** The broker, ours or another, and what hosts must know to reach it. */
interface Link {
  readonly broker: Broker;
  readonly reach: Pick<Reach, 'brokerUrl' | 'plainJwt'>;
  readonly renew: Awaited<ReturnType<typeof openEmbeddedBroker>>['renew'];
}

async function openLink(
  config: CloudConfig,
  authority: Authority,
  names: readonly string[],
  publicUrl: string,
  admit: Admit,
  trustPem: string | undefined,
  log: Log,
): Promise<Link> {
  const onDown = (sh: string, reason: string): void => log('warn', 'a shard lost its broker', { sh, reason });
  const { mqtt, mqttListen } = config;
  if (mqtt !== undefined) {
    const tls = {
      ...(mqtt.certFile === undefined ? {} : { cert: readFileSync(mqtt.certFile, 'utf8') }),
      ...(mqtt.keyFile === undefined ? {} : { key: readFileSync(mqtt.keyFile, 'utf8') }),
      ...(trustPem === undefined ? {} : { ca: trustPem }),
    };
    const broker = openBroker({
      dial: { kind: 'url', url: mqtt.url, tls },
      // Its revocation list keeps a host out; who is connected stays until then.
      kick: () => undefined,
      closeBroker: async () => undefined,
      epoch: EPOCH,
      random,
      onDown,
    });
    const url = new URL(mqtt.url);
    return {
      broker,
      reach: { brokerUrl: `${url.protocol}//${url.host}`, plainJwt: false },
      renew: () => undefined,
    };
  }
  const plainJwt = isLoopback(mqttListen.host);
  const embedded = await openEmbeddedBroker({
    listen: mqttListen,
    tls: plainJwt ? undefined : await authority.issueServer(names, clock.wallMs()),
    admit,
    rateLimits: config.rateLimits,
    onRefused: (refused) => log('warn', 'the broker refused a connection', { ...refused }),
  });
  const broker = openBroker({
    dial: { kind: 'stream', open: embedded.dial },
    kick: embedded.kick,
    closeBroker: embedded.close,
    epoch: EPOCH,
    random,
    onDown,
  });
  const host = bracketed(callable(mqttListen.host, publicUrl));
  const brokerUrl = `${plainJwt ? 'mqtt' : 'mqtts'}://${host}:${embedded.port}`;
  return { broker, reach: { brokerUrl, plainJwt }, renew: embedded.renew };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
