import type { Redelivery } from '../delivery/redelivery.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { CaptureStore } from '../io/capture/index.ts';
import { putOnce, sendDiagnosis, sendRecording, sendTrace } from '../io/edge/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { Log, RecentLog } from '../io/system/index.ts';
import { boundedPages } from '../io/trace/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import {
  captureOperations,
  listOperations,
  machineOperations,
  type OperationTable,
  outboxOperations,
  recordingOperations,
  registrationOperations,
  serviceOperations,
  transcriptOperations,
} from '../site/remote/index.ts';
import type { CertificateRenewal } from '../site/system/index.ts';
import type { OpenPeers } from './peers.ts';
import { isUploaded, localRecording, wordsOfRecordings } from './recording/index.ts';
import type { OpenSound } from './sound.ts';
import type { HostSupervision } from './supervision.ts';
import type { openTechnician } from './technician.ts';

type OfHost = Pick<SiteAgent, 'identity'>;

export interface RemoteParts {
  readonly site: OfHost;
  readonly kept: RecentLog;
  readonly renewal: Pick<CertificateRenewal, 'now'>;
  readonly technician: Pick<ReturnType<typeof openTechnician>, 'bundle' | 'selfTest'>;
  readonly upgrade: RemoteOperation;
  readonly journal: Pick<OpenJournal, 'tracePart'>;
  readonly redelivery: Redelivery;
  readonly engine: Pick<ApplianceEngine, 'registrations' | 'listTests' | 'sound'>;
  readonly sound: Pick<OpenSound, 'recordingStore' | 'copyOf'>;
  readonly capture: Pick<CaptureStore, 'captureFor'> | undefined;
  readonly supervision: Pick<HostSupervision, 'services' | 'watch' | 'overrides'>;
  readonly peers: Pick<OpenPeers, 'sees' | 'recording'>;
  readonly run: (work: Promise<unknown>) => void;
  readonly log: Log;
}

/** Adds everything that the cloud may ask this host for to the table of its operations. */
export function addRemoteOperations(table: OperationTable, parts: RemoteParts): void {
  const { site, kept, renewal, technician, upgrade, journal, supervision, run, log } = parts;
  const { selftest, ...machine } = machineOperations({
    sender: () => machineSender(site),
    log: () => kept.lines(),
    renew: renewal.now,
    upgrade,
    bundle: technician.bundle,
    trace: (traceId) => boundedPages(journal, traceId),
    selfTest: technician.selfTest,
  });
  const { watch, overrides } = supervision;
  table.add(machine);
  table.add(
    serviceOperations({
      services: supervision.services,
      pause: (name) => watch.pause(name),
      resume: (name) => watch.resume(name),
      probeAll: () => watch.probeAll(),
      clearOverride: (key) => overrides.clear(key),
      sees: parts.peers.sees,
      selfTest: selftest,
    }),
  );
  table.add(outboxOperations(parts.redelivery));
  table.add(registrationOperations(parts.engine.registrations));
  table.add(listOperations(parts.engine.listTests));
  table.add(recordingsOf(parts.sound, { site, peers: parts.peers, run, log }));
  table.add(capturesOf(parts.capture, site));
  const { engine, sound } = parts;
  table.add(transcriptOperations((asked) => wordsOfRecordings(engine.sound, sound.recordingStore, asked)));
}

function machineSender({ identity }: OfHost) {
  return (
    identity && {
      trace: (url: string, json: string) => sendTrace(identity, url, json),
      diagnosis: (url: string, bundle: unknown) => sendDiagnosis(identity, url, bundle),
    }
  );
}

/** The recordings of this host over its store, and those of other hosts of the site. */
export const recordingsOf = (
  { recordingStore, copyOf }: RemoteParts['sound'],
  {
    site,
    peers,
    run,
    log,
  }: Pick<RemoteParts, 'run' | 'log'> & {
    readonly site: OfHost;
    readonly peers: Pick<OpenPeers, 'recording'>;
  },
): Readonly<Record<string, RemoteOperation>> =>
  recordingOperations({
    own(fileName) {
      const found = localRecording(recordingStore, fileName);
      return found && { path: found.path, size: found.sizeBytes };
    },
    isUploaded: (fileName) => isUploaded(recordingStore, fileName),
    async near(fileName) {
      const found = await peers.recording(fileName, true);
      return (
        found && {
          size: found.sizeBytes,
          copy: () => copyOf(fileName, found, new AbortController().signal),
        }
      );
    },
    send: () => {
      const { identity } = site;
      return identity && ((url, path) => sendRecording(identity, url, path));
    },
    run,
    log,
  });

/** The captures of this host over its store; undefined: it captures none. */
export const capturesOf = (
  capture: Pick<CaptureStore, 'captureFor'> | undefined,
  site: OfHost,
): Readonly<Record<string, RemoteOperation>> =>
  captureOperations({
    captureFor: capture && ((request) => capture.captureFor(request)),
    send: () => {
      const { identity } = site;
      return identity && ((url, bytes) => putOnce(identity, url, 'capture', bytes));
    },
  });
