import type { RecordingAsk, RecordingPart } from '#shared/contract/peer/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { freeBytesOf, type Log } from '../io/system/index.ts';
import type { PromptBytes } from '../site/host/site-port.ts';
import { OperationTable } from '../site/remote/index.ts';
import { readinessFaults } from '../site/supervision/index.ts';
import type { DiskStage } from './disk-stage.ts';
import type { LateParts } from './late-part.ts';
import { operationsAs } from './operation.ts';
import { peerFeed } from './peer-feed.ts';
import { openPeers } from './peers.ts';
import { openSite } from './site.ts';
import type { FeedOrigin } from './site-feed.ts';
import { openStanding } from './status.ts';

/** Third stage: this machine as a host of its site, with its identity, its configuration and the other hosts. */
export function openSiteStage(
  config: ApplianceConfig,
  parts: {
    readonly stored: DiskStage;
    readonly promptBytes: PromptBytes;
    /** A part of a recording of this host. */
    readonly recordingPart: (ask: RecordingAsk) => Promise<RecordingPart | undefined>;
    readonly late: LateParts;
    readonly log: Log;
    readonly run: (work: Promise<unknown>) => void;
  },
) {
  const { stored, promptBytes, late, log, run } = parts;
  const { journal, disk, replica, meter, trustPem, time, metric, loop, written } = stored;
  const { startTimer } = loop;
  /** Where the newest manifest of each scope has come from. */
  const cameFrom = new Map<string, FeedOrigin>();
  const operations = new OperationTable();
  const site = openSite(config, {
    onManifest: (scope, from) => cameFrom.set(scope, from),
    meter,
    // The host that keeps copies of our rows hears as well which rows the cloud has.
    journal: { ...journal, acknowledge: (...ack) => late.ports.now.journal.acknowledge(...ack) },
    replica,
    trustPem,
    startTimer,
    written,
    log,
    run,
    storable: disk.storable,
    promptBytes,
    time,
    metric,
    records: stored.records,
    operations,
    late,
  });
  const standing = openStanding(config, site.identity, () => site.tenant.access.verifyKeys);
  const storage = { fault: disk.fault, freeBytes: () => freeBytesOf(config.data) };
  const faults = () => readinessFaults(site, storage, late.supervision.now.watch.sick);
  const peers = late.peers.set(
    openPeers(config, {
      journal: disk.journal,
      replica,
      storable: disk.storable,
      startTimer,
      log,
      run,
      ...peerFeed(() => site.identity),
      recordingPart: parts.recordingPart,
      site,
      faults,
      operateAs: operationsAs(late, standing, log),
      late,
    }),
  );
  return { site, peers, standing, faults, cameFrom, operations };
}

export type SiteStage = ReturnType<typeof openSiteStage>;
