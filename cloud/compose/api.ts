import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { SHARDS } from '#shared/contract/feed/index.ts';
import {
  alarmCallRouter,
  bulkRouter,
  bundleRouter,
  createApp,
  createEdgeApp,
  deploymentRouter,
  diagnosisRouter,
  enrolmentRouter,
  hostRouter,
  logRouter,
  mediaCallRouter,
  operationRouter,
  promptFileRouter,
  recordingCommandRouter,
  remoteCallRouter,
  signedPromptRouter,
  siteAlarmRouter,
  siteRouter,
  siteStreamRouter,
  usageRouter,
} from '../http/index.ts';
import { readDocsAsset } from '../io/api-page/index.ts';
import { consoleIsBuilt, readConsoleFile } from '../io/console-page/index.ts';
import { readCsv } from '../io/csv/index.ts';
import { digest } from '../io/digest/index.ts';
import { keptToken } from '../io/key/index.ts';
import { edgePeerOf, hangUp, isLoopback } from '../io/listener/index.ts';
import { openProcessMetric } from '../io/process/index.ts';
import { createTokenPort } from '../io/token/index.ts';
import {
  createAlarmDesk,
  createBrokerDesk,
  createLogDesk,
  createUsageDesk,
  shardMetric,
} from '../monitoring/index.ts';
import { createProvisioning, deviceBulk } from '../provisioning/index.ts';
import { createDiagnosisDesk, tenantHeldByHosts } from '../site/index.ts';
import { createTenancy } from '../tenant/index.ts';
import type { Doors } from './door.ts';
import type { Fleet } from './fleet.ts';
import { clock, type Ground, stackOf } from './ground.ts';
import { openPromptFiles } from './prompt-file.ts';

const VERSION = '0.1.0';

/** The public interface and that of enrolled hosts; nothing is served yet. */
export async function joinApi(ground: Ground, doors: Doors, fleet: Fleet) {
  const { config, store, signer, log, closing } = ground;
  const {
    sites,
    link,
    feed,
    monitoring,
    watched,
    platform,
    runtimeRelay,
    remote,
    shelf,
    news,
    lease,
    shardsDown,
  } = fleet;
  const { publicUrl } = doors;
  const { sha256, random } = digest;
  const bootstrapToken = config.bootstrapToken ?? keptToken(join(config.data, 'bootstrap-token'));

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
  const prompts = openPromptFiles(ground, publicUrl);
  const broker = createBrokerDesk({
    mode: link.mode,
    url: link.reach.brokerUrl,
    shards: SHARDS.length,
    shardsDown,
    hosts: watched,
    abilities: link.abilities,
    ...(link.rights !== undefined && { rights: link.rights }),
    nowMs: clock.wallMs,
  });
  const processMetric = openProcessMetric();
  closing.push(processMetric.close);
  const { app, shortWay } = createApp({
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
    ...(consoleIsBuilt() && { consoleFile: readConsoleFile }),
    // First: `stream`, `alarm` and `operation` are no sites.
    routers: [
      siteStreamRouter(news, hangUp),
      siteAlarmRouter(createAlarmDesk(store)),
      operationRouter(sites),
      hostRouter(sites, remote),
      diagnosisRouter(createDiagnosisDesk(store, shelf)),
      bundleRouter(feed),
      siteRouter(sites),
      deploymentRouter(broker, platform),
      bulkRouter(bulk),
      logRouter(createLogDesk(store)),
      usageRouter(createUsageDesk(store)),
      alarmCallRouter(runtimeRelay),
      mediaCallRouter(runtimeRelay),
      remoteCallRouter(runtimeRelay),
      recordingCommandRouter(runtimeRelay),
      enrolmentRouter(sites, clock.wallMs),
      signedPromptRouter(prompts, tenancy.tenant.find, clock.wallMs),
      promptFileRouter(prompts, clock.wallMs),
    ],
    readiness: [
      async () => (shardsDown() === 0 ? null : `${shardsDown()} shards have no broker`),
      async () => lease.fault(),
    ],
    metrics: [
      monitoring.metric,
      () => shardMetric(lease.fault() === null ? SHARDS.length : 0, shardsDown()),
      processMetric.text,
    ],
    onDefect: (error, requestId) => log('error', 'defect in a route', { requestId, error: stackOf(error) }),
  });
  const edgeApp = createEdgeApp({
    sites,
    feed,
    prompts,
    diagnosis: shelf,
    peerOf: edgePeerOf,
    nowMs: clock.wallMs,
    onDefect: (error) => log('error', 'defect at the edge listener', { error: stackOf(error) }),
  });
  return { app, shortWay, edgeApp, tenancy, broker };
}
