import type { FeedScope } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import type { Listeners } from '#shared/listeners.ts';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { OpenReplica } from '../io/config/index.ts';
import { brokerPassword, loadIdentity, openConfigKeys } from '../io/edge/index.ts';
import { openMqtt } from '../io/mqtt/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { RecordStore } from '../io/sqlite/record-store/index.ts';
import type { HostMeter, Log } from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import type { PromptBytes } from '../site/host/site-port.ts';
import { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { KnownOperations } from '../site/remote/index.ts';
import type { HostTime } from '../site/system/index.ts';
import { clock, random, sha256Hex, VERSION } from './adapters.ts';
import { bundleOf } from './bundle.ts';
import { keptClaimAttempt } from './claim.ts';
import type { Late } from './late.ts';
import type { HostMetric } from './metric.ts';
import type { OpenPeers } from './peers.ts';
import { leavingSite } from './record/index.ts';
import { type FeedOrigin, siteFeed } from './site-feed.ts';
import type { HostSupervision } from './supervision.ts';

interface SiteParts {
  readonly journal: OpenJournal;
  readonly replica: OpenReplica;
  readonly meter: HostMeter;
  readonly trustPem: string | undefined;
  readonly startTimer: StartTimer;
  /** The journal wrote something to the disk. */
  readonly written: Listeners<[]>;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
  readonly storable: () => boolean;
  readonly time: HostTime;
  readonly metric: Pick<HostMetric, 'broker' | 'disk'>;
  readonly promptBytes: PromptBytes;
  readonly records: RecordStore;
  /** The operations that the cloud may ask this host for; parts add theirs until the line to the cloud begins. */
  readonly operations: KnownOperations;
  /** Where the newest manifest of a scope has come from. */
  readonly onManifest: (scope: FeedScope, from: FeedOrigin) => void;
  readonly late: {
    readonly engine: Late<Pick<ApplianceEngine, 'load'>>;
    readonly peers: Late<OpenPeers>;
    readonly supervision: Late<HostSupervision>;
  };
}

/** This machine as a host of its site. */
export function openSite(config: ApplianceConfig, parts: SiteParts): SiteAgent {
  const { journal, replica, trustPem, startTimer, written, log, run } = parts;
  const { engine, peers, supervision } = parts.late;
  const inst = ulid(clock.wallMs(), random(10));
  const source = siteFeed({
    bundle: bundleOf(config.data),
    askFeed: (ask) => peers.now.askFeed(ask),
    keys: () => agent.tenant.access.verifyKeys,
    onManifest: parts.onManifest,
  });
  const agent: SiteAgent = new SiteAgent({
    clock,
    random,
    log,
    run,
    startTimer,
    written,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    sha256Hex,
    journal,
    records: () => parts.time.records,
    sessionRecords: {
      queue: parts.records,
      leaves: (record) => leavingSite(record, agent.tenant, sha256Hex),
      isCallRunning: () => engine.now.load.calls > 0,
    },
    store: replica,
    identity: loadIdentity(config.data),
    enrol: keptClaimAttempt(config, trustPem),
    feed: (identity) => source(identity).feed,
    promptBytes: parts.promptBytes,
    verify: (identity) => source(identity).verify,
    keys: openConfigKeys(config.data),
    openBroker: (...how) => parts.metric.broker(openMqtt(...how, trustPem)),
    brokerPassword,
    facts: () => {
      const { os, ...machine } = parts.meter.facts();
      return {
        ...machine,
        m: { ...machine.m, ...parts.metric.disk() },
        sw: { agent: VERSION, sip: VERSION, alarm: VERSION, os },
        siteBaseUrl: config.siteBaseUrl,
        epoch: peers.now.epoch,
        peers: peers.now.words,
        roles: peers.now.roles,
        inst,
        svc: supervision.now.watch.svc,
        overrides: supervision.now.overrides.count,
        clk: { sync: parts.time.state.synchronised ?? true },
        calls: engine.now.load.calls,
        alarms1h: engine.now.load.alarmsLastHour,
      };
    },
    operate: (request) => peers.now.answer(request),
    remote: parts.operations,
    health: () => supervision.now.watch.probeAll(),
  });
  return agent;
}
