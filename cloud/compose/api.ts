import { join } from 'node:path';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { exposition, gauge, processFamilies } from '#shared/metric/index.ts';
import { QueueFigures } from '../alarm-queue/index.ts';
import {
  alarmCallRouter,
  alarmQueuePushRouter,
  alarmQueueRouter,
  alarmQueueStreamRouter,
  alarmQueueWallRouter,
  bulkRouter,
  bundleRouter,
  createApp,
  createEdgeApp,
  deliveryRouter,
  deploymentRouter,
  diagnosisRouter,
  enrolmentRouter,
  historyTrialRouter,
  hostRecordRouter,
  hostRouter,
  listeningRouter,
  listenRouter,
  logRouter,
  logTailRouter,
  maintenanceRouter,
  mediaCallRouter,
  mediaQueueRouter,
  mediaSessionRouter,
  oneRecordRouter,
  operationRouter,
  platformKeyRouter,
  privacyRouter,
  promptFileRouter,
  recordCaptureRouter,
  recordEvidenceRouter,
  recordExportRouter,
  recordFigureRouter,
  recordingCommandRouter,
  recordRouter,
  recordStreamRouter,
  recordTraceRouter,
  recordTranscriptRouter,
  remoteCallRouter,
  revisionRouter,
  signedPromptRouter,
  siteAlarmRouter,
  siteRouter,
  siteStreamRouter,
  topologyRouter,
  usageRouter,
} from '../http/index.ts';
import { readDocsAsset } from '../io/api-page/index.ts';
import { objectStorageFault } from '../io/blob/index.ts';
import { signingFault } from '../io/callback/index.ts';
import { consoleFiles, consoleIsBuilt, keepConsole } from '../io/console-page/index.ts';
import { readCsv } from '../io/csv/index.ts';
import { storageFault } from '../io/database/index.ts';
import { digest } from '../io/digest/index.ts';
import { builtDocumentation } from '../io/documentation/index.ts';
import { edgePeerOf, hangUp, isLoopback } from '../io/listener/index.ts';
import { openProcessMeter } from '../io/process/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import { createTokenPort } from '../io/token/index.ts';
import {
  createAlarmQueries,
  createBrokerChecks,
  createLogQueries,
  createUsageQueries,
  shardFamilies,
} from '../monitoring/index.ts';
import { createHistoryTrials, createProvisioning, deviceBulk } from '../provisioning/index.ts';
import { createRecordExports, createRecordFigures, createRecordQueries } from '../record/index.ts';
import { createDeliveries, createDiagnosisRequests, tenantHeldByHosts } from '../site/index.ts';
import { type Store, waitingRelays } from '../store/index.ts';
import { createTenancy } from '../tenant/index.ts';
import type { Fleet } from './fleet.ts';
import { type Infrastructure, stackOf } from './infrastructure.ts';
import type { HttpListeners } from './listener.ts';
import { openPrivacy } from './privacy.ts';
import { openPromptFiles } from './prompt-file.ts';
import { showReplicas } from './replica-view.ts';

const VERSION = '0.1.0';
/** A bulk load whose replica was killed is over after its lease and this. */
const ORPHAN_MS = 15_000;

/** The public interface and that of enrolled hosts; nothing is served yet. */
export async function joinApi(infrastructure: Infrastructure, listeners: HttpListeners, fleet: Fleet) {
  const { config, store, storage, signer, keys, log, clock, metric, closing } = infrastructure;
  const { sites, link, feed, runtimeRelay, lease, shardsDown } = fleet;
  const { publicUrl } = listeners;
  const { sha256, random } = digest;
  const bootstrapToken = config.bootstrapToken ?? keys.of('bootstrapToken').text();

  const core = { store, ...digest };
  const tenancy = createTenancy({
    ...core,
    token: createTokenPort(),
    sign: signer.sign,
    publicUrl,
    bootstrapTokenHash: sha256(bootstrapToken),
    wait: (ms) => pause(ms),
    tenantHeldBy: tenantHeldByHosts,
  });
  const provisioning = createProvisioning({ ...core, signingFault });
  const bulk = deviceBulk(
    {
      store,
      nowMs: clock.wallMs,
      replica: infrastructure.replica,
      readCsv,
      breathe: () => setImmediate(),
      onDefect: (error, bulkId) =>
        log('error', 'bulk_load.defect_caught', 'Caught a defect in a bulk load', {
          bulkId,
          error: stackOf(error),
        }),
    },
    provisioning.device.putMany,
  );
  await bulk.recover();
  const notRecovered = (cause: unknown) =>
    log('warn', 'bulk_load.check_failed', 'Could not check for bulk loads of replicas that ended', {
      cause: String(cause),
    });
  const recover = async () => lease.leads() && (await bulk.recover());
  closing.push(repeat(ORPHAN_MS, oneAtATime(recover, notRecovered)));
  closing.push(() => bulk.stop());
  const prompts = openPromptFiles(infrastructure, publicUrl, fleet.recordings);
  const privacy = openPrivacy(infrastructure, fleet, prompts);
  const broker = createBrokerChecks({
    mode: link.mode,
    url: link.reach.brokerUrl,
    ...(link.urls.length > 1 && {
      brokers: () => link.broker.served().map((served, at) => ({ url: link.urls[at] ?? '', shards: served })),
    }),
    shards: SHARDS.length,
    shardsDown,
    hosts: fleet.watched,
    abilities: link.abilities,
    ...(link.rights !== undefined && { rights: link.rights }),
    nowMs: clock.wallMs,
  });
  const records = createRecordQueries({ store, nowMs: clock.wallMs });
  const consoleFile = consoleIsBuilt()
    ? await keepConsole(consoleFiles(), join(config.data, 'console'), (cause) =>
        log(
          'warn',
          'console.files_not_kept',
          'Could not keep the files of the console for the next version',
          {
            cause: String(cause),
          },
        ),
      )
    : undefined;
  const documentation = builtDocumentation();
  const processMeter = openProcessMeter();
  closing.push(processMeter.close);
  const waiting = waitingFamilies(store, clock.wallMs);
  const queue = new QueueFigures(store, fleet.queueStream, clock.wallMs);
  const shards = () => ({
    owned: lease.fault() === null ? lease.owned().size : 0,
    down: shardsDown(),
    takenOver: lease.takenOver(),
    epoch: Math.max(0, ...lease.owned().values()),
    replicas: lease.replicas(),
    lagMs: fleet.replicas.lagMs(),
  });
  const families = [
    ...fleet.monitoring.families,
    ...waiting.families,
    ...queue.families,
    ...fleet.queuePush.families,
    ...shardFamilies(shards),
    fleet.platform.family,
    ...metric.families,
    ...processFamilies(processMeter.read),
  ];
  const { app, fastPath } = createApp({
    tenancy,
    provisioning,
    publicUrl,
    version: VERSION,
    brokerUrl: link.reach.brokerUrl,
    nowMs: clock.wallMs,
    random,
    sha256,
    rehearse: store.rehearse,
    rateLimits: config.rateLimits,
    limiter: fleet.limiter,
    listenerOnLoopback: isLoopback(config.http.host),
    docsAsset: readDocsAsset,
    ...(documentation !== undefined && { documentation }),
    ...(consoleFile !== undefined && { consoleFile }),
    // First: `stream`, `alarm`, `operation` and `maintenance` are no sites.
    routers: [
      siteStreamRouter(fleet.siteChanges, hangUp),
      siteAlarmRouter(createAlarmQueries(store)),
      maintenanceRouter(sites, clock.wallMs),
      operationRouter(sites),
      hostRouter(sites, fleet.remote),
      hostRecordRouter(sites, tenancy.audit),
      logTailRouter(fleet.tails, hangUp),
      listeningRouter(fleet.listenings, hangUp),
      listenRouter(fleet.listenings),
      topologyRouter(sites),
      deliveryRouter(createDeliveries({ store, clock, ask: fleet.monitoring.ask })),
      historyTrialRouter(createHistoryTrials({ store, ask: fleet.monitoring.ask })),
      diagnosisRouter(createDiagnosisRequests(store, fleet.bundles)),
      bundleRouter(feed),
      siteRouter(sites),
      revisionRouter(
        { reach: sites.revision, changes: sites.revisionChanges },
        (ms, run) => void setTimeout(run, ms),
        clock.wallMs,
      ),
      deploymentRouter(broker, fleet.platformAlarms, showReplicas(infrastructure, lease, VERSION)),
      bulkRouter(bulk),
      logRouter(createLogQueries(store)),
      recordStreamRouter(fleet.recordStream, hangUp),
      recordRouter(records, fleet.transcriptSearch, clock.wallMs),
      recordFigureRouter(createRecordFigures({ store, nowMs: clock.wallMs })),
      recordExportRouter(createRecordExports({ store, nowMs: clock.wallMs })),
      recordTraceRouter(fleet.traces),
      recordTranscriptRouter(fleet.transcripts, fleet.transcriptStreams),
      recordCaptureRouter(fleet.captures),
      recordEvidenceRouter(fleet.evidence),
      platformKeyRouter(fleet.platformKeys),
      oneRecordRouter(records),
      usageRouter(createUsageQueries(store)),
      privacyRouter(privacy, config.retention),
      alarmQueueStreamRouter(fleet.queueStream, hangUp),
      alarmQueuePushRouter(fleet.queuePush),
      alarmQueueWallRouter(fleet.queueWalls, tenancy.tenant.find),
      alarmQueueRouter(fleet.alarmQueue, runtimeRelay),
      alarmCallRouter(runtimeRelay),
      mediaCallRouter(runtimeRelay),
      mediaSessionRouter(runtimeRelay),
      mediaQueueRouter(runtimeRelay),
      remoteCallRouter(runtimeRelay),
      recordingCommandRouter(runtimeRelay),
      enrolmentRouter(sites, clock.wallMs),
      signedPromptRouter(prompts, tenancy.tenant.find, clock.wallMs),
      promptFileRouter(prompts, clock.wallMs),
    ],
    readiness: [
      async () => listeners.fault(),
      async () => (shardsDown() === 0 ? null : `${shardsDown()} shards have no broker`),
      // One that has given its shards away has none without broker.
      async () =>
        link.broker.reached()?.some((isReached) => isReached) === false
          ? 'no broker answers this control plane'
          : null,
      async () => lease.fault(),
      async () => storage.fault(),
    ],
    metrics: [
      async () => {
        await Promise.all([waiting.look(), queue.look()]);
        return exposition(families);
      },
    ],
    storageFault: (error) => objectStorageFault(error) ?? storageFault(error),
    onRefused: metric.refused,
    onDefect: (error, requestId) =>
      log('error', 'route.defect_caught', 'Caught a defect in a route', { requestId, error: stackOf(error) }),
  });
  const edgeApp = createEdgeApp({
    sites,
    feed,
    prompts,
    diagnosis: fleet.bundles,
    traces: fleet.traces,
    captures: fleet.captures,
    recordings: fleet.recordings,
    peerOf: edgePeerOf,
    storageFault: (error) => objectStorageFault(error) ?? storageFault(error),
    onRequest: metric.edgeRequest,
    onRefused: metric.notLetIn,
    nowMs: clock.wallMs,
    onDefect: (error) =>
      log('error', 'edge_listener.defect_caught', 'Caught a defect in the edge listener', {
        error: stackOf(error),
      }),
  });
  return { app, fastPath, edgeApp, tenancy, broker };
}

/** Our own deliveries to tenants; the rows are asked at each look, before the families. */
function waitingFamilies(store: Store, nowMs: () => number) {
  let now: Awaited<ReturnType<typeof waitingRelays>> = { rows: 0, oldestAt: null };
  const lane = { lane: 'platform' };
  const ageS = (at: number): number => Math.max(0, nowMs() - at) / 1_000;
  return {
    look: async (): Promise<void> => {
      now = await waitingRelays(store);
    },
    families: [
      gauge('carillon_outbox_depth', 'Deliveries that wait', () => [[lane, now.rows]]),
      gauge('carillon_outbox_oldest_seconds', 'Age of the oldest delivery that waits', () => [
        [lane, now.oldestAt === null ? 0 : ageS(now.oldestAt)],
      ]),
    ],
  };
}
