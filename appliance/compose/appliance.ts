import { hostPort } from '#shared/host-port.ts';
import type { ApplianceConfig } from '../config.ts';
import { Redelivery } from '../delivery/redelivery.ts';
import type { StartedMedia } from '../io/media-worker/index.ts';
import type { LogLevel, RecentLog } from '../io/system/index.ts';
import type { TraceEntry } from '../kernel/session-trace.ts';
import { hostActs, tellBundle, tellReturn } from '../site/host/host-act.ts';
import { copyOperations } from '../site/remote/index.ts';
import { clock, VERSION } from './adapters.ts';
import { traceOf } from './disk.ts';
import { openDiskStage } from './disk-stage.ts';
import { openEngineStage } from './engine-stage.ts';
import { healthInfo, readyOf } from './health.ts';
import { within } from './late.ts';
import { lateParts } from './late-part.ts';
import { openListenerStage } from './listener-stage.ts';
import { mediaFigures } from './media-figures.ts';
import { openMediaStage } from './media-stage.ts';
import { standingOfHost } from './metric.ts';
import { privacyOperations } from './privacy.ts';
import { historyTrials, openRecorder } from './record/index.ts';
import { readRecordingPart } from './recording/index.ts';
import { openRelease } from './release.ts';
import { addRemoteOperations } from './remote.ts';
import { openRenewal } from './renewal.ts';
import { startSchedules } from './schedule.ts';
import { gracefulStop } from './shutdown.ts';
import { openSiteStage } from './site-stage.ts';
import { openSound } from './sound.ts';
import { openHostSupervision } from './supervision.ts';
import { openTechnician } from './technician.ts';
import { watchdogFaults } from './watchdog.ts';
import { openWipe } from './wipe.ts';

/** The daemon on the site, answering. */
export interface RunningAppliance {
  readonly ready: Readonly<Record<string, unknown>>;
  /** Resolves when the tenant's configuration is in force; rejects with one sentence after `withinMs`. */
  readonly configured: (withinMs: number) => Promise<void>;
  readonly trace: (traceId: string) => Promise<readonly TraceEntry[]>;
  /** The parts of this program that do not answer now, for the watchdog. */
  readonly faults?: () => Promise<readonly string[]>;
  /** Resolves when it has wiped itself and is no host any more. */
  readonly removed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** The objects that `main.ts` has made already. */
export interface Begun {
  readonly config: ApplianceConfig;
  /** The level of the log; may be changed while the program runs. */
  readonly level: { now: LogLevel };
  readonly kept: RecentLog;
  readonly media: StartedMedia;
  readonly closing: (() => unknown)[];
  readonly close: () => Promise<void>;
}

/**
 * Builds the daemon in stages: disk, media, site, engine, listeners; then the parts that look after them. `closing` lists the
 * parts that must end later, last first.
 */
export async function compose({
  config,
  level,
  kept,
  media: workers,
  closing,
  close,
}: Begun): Promise<RunningAppliance> {
  const { log } = kept;
  const run = (work: Promise<unknown>): void => {
    work.catch((cause: unknown) =>
      log('error', 'background.work_failed', 'Work in the background failed', { cause: String(cause) }),
    );
  };
  const figured = mediaFigures(workers);
  const { media } = figured;
  const late = lateParts();
  const stored = await openDiskStage(config, { log, late, closing });
  const { metric, loop, damage, journal, disk, trustPem, reachable, time, replica, meter } = stored;
  const { startTimer } = loop;
  const { webrtc, promptFiles } = openMediaStage(config, { trustPem, log, closing });
  const host = openSiteStage(config, {
    ...{ stored, promptBytes: promptFiles.bytes, late, log, run },
    recordingPart: (ask) => readRecordingPart(sound.recordingStore, ask),
  });
  const { site, peers, standing, faults, cameFrom } = host;
  const sound = openSound(config, {
    ...{ trustPem, log, promptFiles, site },
    damaged: damage.found,
    reachesCloud: () => site.connected,
    peers: peers.recording,
  });
  closing.push(() => sound.close());
  const audio = { webrtc, sound };
  const recorder = openRecorder(stored.records, () => site.tenantRevision, {
    ...{ timers: loop.timers, log, clock, program: VERSION },
  });
  closing.push(() => recorder.flush());
  const built = openEngineStage(config, { stored, audio, host, media, recorder, late, log, run, closing });
  const { queue, ports, engine, copies, network } = built;
  const health = healthInfo(
    faults,
    engine,
    figured,
    () => supervision.processor(),
    peers.mayHaveAddress,
    metric.text,
  );
  metric.watch(standingOfHost({ journal, site, time, peers }));
  const tellAct = hostActs(ports, () => site.identity !== undefined);
  const technician = openTechnician(config, {
    ...{ site, health, kept, run, runtime: engine, journal, records: stored.records },
    capture: stored.capture,
  });
  const listeners = openListenerStage(config, {
    ...{ stored, audio, host, built, health, technician, tellAct, log, run, closing },
  });
  const { secure, show } = listeners;
  let opened = Promise.resolve();
  const renewal = openRenewal(config, { log, run, startTimer, trustPem, site, show });
  closing.push(renewal.stop);
  const upgrade = openRelease(config, { reachable, log, run });
  const redelivery = new Redelivery(journal, engine.delivery);
  site.reported.add((report) => {
    metric.reported(report);
    tellReturn(tellAct, report);
    tellBundle(tellAct, report, cameFrom.get(report.scope));
  });
  site.identified.add((identity) => {
    standing.becomes(identity);
    run(peers.open(identity));
    opened = show(identity);
    run(opened);
    renewal.start();
  });
  const supervision = openHostSupervision(config, {
    ports,
    startTimer,
    journal,
    storable: disk.storable,
    replica,
    meter,
    media,
    network,
    runtime: engine,
    site,
    time,
    peers: () => peers.view,
    isHeld: peers.isHeld,
    tellAct,
    setLogLevel: (to) => {
      level.now = to ?? config.log;
    },
  });
  late.supervision.set(supervision);
  closing.push(supervision.stop);
  addRemoteOperations(host.operations, {
    ...{
      site,
      kept,
      renewal,
      technician,
      upgrade,
      journal,
      redelivery,
      engine,
      supervision,
      peers,
      run,
      log,
    },
    ...{ sound, capture: stored.capture },
  });
  host.operations.add(copyOperations(copies));
  host.operations.add(historyTrials(config.data, ports, closing));
  host.operations.add(privacyOperations(journal, sound.recordingStore, log, engine.sending, stored));
  const stop = gracefulStop(engine);
  const waiting = (): number => {
    const { alarm, svc, audit, usage } = journal.waiting();
    return alarm + svc + audit + usage + (stop.inProgress ? 1 : 0);
  };
  const settle = () => stop.reportFinalState();
  const removed = Promise.withResolvers<void>();
  const wipe = openWipe(config, { log, run, waiting, settle, close, removed: removed.resolve });
  closing.push(() => wipe.stop());
  site.twinTaken.add((twin) => {
    supervision.twinChanged(twin);
    wipe.twinChanged(twin);
  });
  site.start();
  closing.push(() => site.stop());
  // The configuration on the disk is in force before the first packet comes.
  if (site.identity !== undefined && replica.standings().tenant.rev > 0) await site.whenConfigured();
  if (site.identity !== undefined) await peers.open(site.identity);
  await peers.compared();
  closing.push(peers.close);
  await media.warm;
  recorder.recall();
  engine.restore({ sendsLater: true });
  recorder.interrupted((sessionId) => journal.session(sessionId)?.closed === true);
  // Before the first configuration there is no tenant to tell.
  run(site.whenConfigured().then(() => damage.tellBy(engine.alarms)));
  closing.push(
    () => engine.pages.flush(),
    () => engine.usage.flush(),
  );
  startSchedules(
    config,
    { runtime: engine, loop, journal, records: stored.records, sound, site, redelivery, log, run },
    closing,
  );
  const panels = await listeners.listen();
  engine.networkOpened();
  supervision.start();
  peers.listening();
  closing.push(() => stop.alarmsEnd());
  return {
    get ready() {
      return {
        ...readyOf(config, network, site.identity),
        dc09: panels.bound.length === 0 ? null : hostPort(panels.host, panels.port),
      };
    },
    configured: (withinMs) =>
      within(
        site.whenConfigured().then(() => opened),
        withinMs,
      ),
    trace: async (traceId) => traceOf(journal, traceId),
    faults: watchdogFaults({
      listeners: {
        sip: () => network.bound,
        https: () => secure.bound,
        dc09: () => panels.bound,
        commandQueue: queue.bound,
        peer: () => peers.bound,
      },
      media,
      journal,
      log,
    }),
    removed: removed.promise,
    close,
  };
}
