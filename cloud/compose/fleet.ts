import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { hostPort } from '#shared/host-port.ts';
import { every } from '#shared/timer/index.ts';
import { AlarmQueue, followReplicas, QueuePush, QueueStream, QueueWalls } from '../alarm-queue/index.ts';
import { CallListTests } from '../call-list/index.ts';
import { createFeed } from '../feed/index.ts';
import { RateLimiter } from '../http/index.ts';
import { type Admit, watchShards } from '../io/broker/index.ts';
import { storageFault } from '../io/database/index.ts';
import { digest } from '../io/digest/index.ts';
import {
  configKeys,
  createSiteKey,
  fingerprintOf,
  isSignedBy,
  isSiteSignature,
  shownKeys,
} from '../io/key/index.ts';
import { callable } from '../io/listener/index.ts';
import {
  createLogQueries,
  createMonitoring,
  PlatformAlarmTable,
  SharedPlatformAlarms,
  shownAlarm,
} from '../monitoring/index.ts';
import {
  CaptureRelay,
  EvidenceMaker,
  followReplicas as followRecords,
  RecordIntake,
  RecordStream,
  TraceRelay,
} from '../record/index.ts';
import { TranscriptRelay, TranscriptSearch, TranscriptStreams } from '../record/transcript/index.ts';
import {
  conditionsOf,
  createListenings,
  createLogTails,
  createPersonStatements,
  createRemoteRequests,
  createRuntimeRelay,
  createSiteChanges,
  createSites,
  DiagnosisBundles,
  type HostReach,
  RecordingRelay,
} from '../site/index.ts';
import { createSharedPages, createUploads, notedErasure } from '../store/index.ts';
import { mayAnswerAlarms, mayClaim } from '../tenant/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { takeLease } from './lease.ts';
import { openLink } from './link.ts';
import type { HttpListeners } from './listener.ts';
import type { Outgoing } from './outgoing.ts';
import { packed } from './packed.ts';
import { hearReplicas } from './replica.ts';

const compressed = promisify(gzip);
const unpacked = promisify(gunzip);
/** Events that are shown with a trace. */
const EVENTS_SHOWN = 200;
/** Alarms of the deployment that could not be written, for the database was away, are tried so often. */
const UNWRITTEN_MS = 10_000;
const { sha256, random } = digest;

/** Sites and their hosts: their identities, the messages to them and from them, and the silent ones. */
export async function startFleet(
  infrastructure: Infrastructure,
  listeners: HttpListeners,
  outgoing: Outgoing,
) {
  const { config, store, vault, keys, signer, authority, log, clock, metric, closing } = infrastructure;
  const { publicUrl } = listeners;
  // The same in every process: a host may bring its answer to another one than the one that asked.
  const mac = keys.of('challenge').text();
  const limiter = new RateLimiter(clock.wallMs);
  const platform = new PlatformAlarmTable({
    ...{ nowMs: clock.wallMs, random, log },
    onChange: (alarm) => void sharedAlarms?.write(alarm),
  });
  const sharedAlarms = infrastructure.isSole
    ? undefined
    : new SharedPlatformAlarms({ store, replica: infrastructure.replica, own: platform, log });
  if (sharedAlarms !== undefined) closing.push(every(UNWRITTEN_MS, () => void sharedAlarms.writeAll()));
  /** The monitoring knows the change by itself. */
  const hostMoved = (uid: string): void => {
    feed.hostChanged(uid);
    // A host that was shut out is out now, not at its next connection.
    admit(uid, undefined).then(
      (host) => host === undefined && link.broker.kick(uid),
      (cause: unknown) =>
        log('error', 'host.lookup_failed', 'Could not look up a host after its change', {
          uid,
          cause: String(cause),
        }),
    );
  };
  const hostChanged = (uid: string): void => {
    monitoring.hostChanged(uid);
    hostMoved(uid);
  };
  const sites = createSites({
    store,
    alarms: {
      raise: (...siteChanges) => monitoring.alarms.raise(...siteChanges),
      clear: (...what) => monitoring.alarms.clear(...what),
      clearAll: (...whose) => monitoring.alarms.clearAll(...whose),
    },
    random,
    sha256,
    mac: (text) => createHmac('sha256', mac).update(text).digest('base64url'),
    isSignedBy,
    vault,
    createSiteKey,
    authority,
    // They change while the program runs.
    get verifyKeys() {
      return signer.verifyKeys;
    },
    sign: signer.sign,
    reach: (): HostReach => ({
      publicUrl,
      edgeUrl:
        config.edgeUrl ?? `https://${hostPort(callable(config.edge.host, publicUrl), listeners.edge.port)}`,
      ...link.reach,
    }),
    onHostChanged: hostChanged,
    mayClaim,
    observed: (uid) => monitoring.observed(uid),
    onUnknownHost: (address) =>
      platform.note({
        error: 'unknownHost',
        subject: address,
        message: `A machine came from ${address} without a valid claim code.`,
      }),
  });
  const admit: Admit = async (uid, serial) => {
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: clock.wallMs() };
    const admitted = await sites.admit(uid, serial, 'broker', actor);
    // Without its row: the broker keeps it as long as the connection lasts.
    return admitted && { place: admitted.place, publicKey: admitted.publicKey };
  };

  const lease = await takeLease(infrastructure);
  const link = await openLink(infrastructure, listeners, admit, lease);
  const publish: typeof link.broker.publish = (...message) =>
    metric.roundTrip(link.broker.publish(...message));
  const feed = createFeed({
    store,
    nowMs: clock.wallMs,
    sha256,
    hasher: digest.hasher,
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    sha256Bytes: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    gzip: packed,
    sign: signer.sign,
    vault,
    configKeys,
    publish: (topic, payload) => publish(topic, payload, { retain: true }),
    owns: lease.owns,
    brokers: link.reach.brokerUrls,
    ...(!infrastructure.isSole && { pages: createSharedPages(store, clock.wallMs) }),
    after: (ms, run) => void setTimeout(run, ms),
    log,
  });
  const recordStream = new RecordStream();
  closing.push(() => recordStream.close());
  const records = new RecordIntake({
    store,
    storeOf: lease.storeOf,
    onTaken: (tenant, rows) => recordStream.add(tenant, rows),
  });
  closing.push(followRecords(store, recordStream));
  const queueStream = new QueueStream();
  closing.push(() => queueStream.close());
  const queuePush = new QueuePush({
    ...{ store, sha256, services: config.pushServices, ...outgoing.push, log },
    mayAnswer: (tenant, personId) => mayAnswerAlarms(store, tenant, personId, clock.wallMs()),
    pause: (ms) => wait(ms, undefined, { ref: false }),
  });
  closing.push(() => queuePush.close());
  const alarmQueue = new AlarmQueue({
    ...{ store, nowMs: clock.wallMs },
    onChange: (tenant, alarm) => queueStream.add(tenant, alarm),
    onRing: (tenant) => queuePush.ring(tenant),
  });
  closing.push(followReplicas(store, alarmQueue, queueStream));
  const queueWalls = new QueueWalls({ store, random, sha256, nowMs: clock.wallMs });
  const monitoring = createMonitoring({
    store,
    shards: lease,
    records,
    queue: alarmQueue,
    clock,
    random,
    soon: link.broker.behindHeartbeats,
    publish: (topic, payload) => publish(topic, payload),
    relay: outgoing.relay.enqueue,
    life: sites.report,
    conditions: conditionsOf,
    platform,
    isStorageFault: (error) => storageFault(error) !== undefined,
    onHostChanged: hostMoved,
    log,
  });
  const runtimeRelay = createRuntimeRelay({
    store,
    isSiteSignature,
    ask: monitoring.ask,
    post: outgoing.siteClient.ask,
    personStatement: createPersonStatements({
      ...{ store, random, sha256 },
      sign: signer.sign,
      nowMs: clock.wallMs,
    }),
  });
  const callListTests = new CallListTests({
    ...{ store, ask: monitoring.ask, nowMs: clock.wallMs, log },
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const sha256Bytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const shared = infrastructure.isSole
    ? {}
    : { uploads: createUploads(store, clock.wallMs, (ms) => wait(ms)) };
  const bundles = new DiagnosisBundles({ random, sha256Bytes, nowMs: clock.wallMs, ...shared });
  const diagnosis = { bundles, edgeUrl: () => sites.reach().edgeUrl };
  const remote = createRemoteRequests({ store, ask: monitoring.ask, diagnosis });
  const recordings = new RecordingRelay({
    store,
    ask: monitoring.ask,
    edgeUrl: diagnosis.edgeUrl,
    random,
    nowMs: clock.wallMs,
    after: (ms, run) => void setTimeout(run, ms).unref(),
    ...shared,
  });
  const events = createLogQueries(store);
  const fromHosts = {
    ...{ store, ask: monitoring.ask, edgeUrl: diagnosis.edgeUrl, random, nowMs: clock.wallMs },
    ...shared,
  };
  const captures = new CaptureRelay({
    ...fromHosts,
    gunzip: (bytes, maxOutputLength) => unpacked(bytes, { maxOutputLength }),
  });
  const traces = new TraceRelay({
    ...fromHosts,
    gunzip: async (bytes, maxOutputLength) => (await unpacked(bytes, { maxOutputLength })).toString('utf8'),
    events: async (tenant, traceId) => {
      const found = await events.search(tenant, { traceId }, '', EVENTS_SHOWN);
      return found.ok ? found.value.items : [];
    },
  });
  closing.push(
    store.onNotice((notices, isRemote) => {
      if (isRemote) for (const notice of notices) traces.forget(notedErasure(notice) ?? '');
    }),
  );
  const transcripts = new TranscriptRelay({ store, ask: monitoring.ask });
  const transcriptSearch = new TranscriptSearch({ store, ask: monitoring.ask });
  const transcriptStreams = new TranscriptStreams({
    transcripts,
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  });
  closing.push(() => transcriptStreams.close());
  const evidence = new EvidenceMaker({
    ...{ store, traces, sign: signer.sign, nowMs: clock.wallMs, sha256: sha256Bytes, gzip: compressed },
    key: () => fingerprintOf(signer.verifyKeys),
    keptDays: (kind) => (kind === 'alarm' ? config.retention.alarms : config.retention.calls),
  });
  const tails = createLogTails({
    store,
    remote,
    ask: monitoring.ask,
    after: (ms, run) => void setTimeout(run, ms).unref(),
  });
  const listenings = createListenings({
    ...{ store, vault, ask: monitoring.ask, publicUrl: () => publicUrl, nowMs: clock.wallMs },
    randomId: () => Buffer.from(random(20)).toString('hex'),
    after: (ms, run) => void setTimeout(run, ms).unref(),
  });
  // Not the store of the lease: people's own changes are news too.
  const siteChanges = createSiteChanges({
    store,
    nowMs: clock.wallMs,
    random,
    after: (ms, run) => void setTimeout(run, ms),
    shownAlarm,
    onFault: (reason) =>
      log('warn', 'change_stream.notify_failed', 'Could not pass changes to the subscribers', { reason }),
  });
  closing.push(() => siteChanges.close());
  closing.push(async () => {
    feed.stop();
    await Promise.all([feed.idle(), monitoring.stop()]);
  });
  await feed.start({ ca: authority.ca, verifyKeys: signer.announcedKeys, publicUrl });
  await monitoring.start();
  await lease.attach({
    begin: async (terms, isStart) => {
      for (const { sh, epoch } of terms) link.broker.own(sh, epoch);
      await monitoring.adopt(
        terms.map(({ sh }) => sh),
        isStart,
      );
    },
    end: async (shards, why) => {
      await link.broker.leave(shards, why);
      await monitoring.leave(shards, why);
    },
  });
  const replicas = hearReplicas(infrastructure, lease, {
    ...{ feed, monitoring, hostChanged, limiter },
    missed: () => recordStream.reset(),
  });
  lease.reached = () => link.broker.reached()?.filter((isReached) => isReached).length;
  const shardsDown = watchShards(link.broker, lease.owns, (sh, up, change, whole) => {
    monitoring.shard(sh, up, whole, change === 'lost');
    if (change === 'gained') feed.shardUp(sh);
  });
  link.broker.onMessage(monitoring.message);
  /** Hosts under supervision. */
  const watched = (): number => [...monitoring.counts().values()].reduce((sum, count) => sum + count, 0);
  return {
    sites,
    link,
    feed,
    monitoring,
    watched,
    platform,
    platformAlarms: sharedAlarms ?? platform,
    runtimeRelay,
    remote,
    tails,
    listenings,
    recordings,
    recordStream,
    alarmQueue,
    callListTests,
    queuePush,
    queueStream,
    queueWalls,
    traces,
    transcripts,
    transcriptSearch,
    transcriptStreams,
    captures,
    evidence,
    platformKeys: () => shownKeys(signer),
    bundles,
    siteChanges,
    lease,
    limiter,
    replicas,
    shardsDown,
  };
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;
