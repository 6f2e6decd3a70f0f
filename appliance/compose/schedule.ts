import type { ApplianceConfig } from '../config.ts';
import type { Redelivery } from '../delivery/redelivery.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { RecordStore } from '../io/sqlite/record-store/index.ts';
import { atTimes, type Log, watchFiles } from '../io/system/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { clock } from './adapters.ts';
import { bundleFile } from './bundle.ts';
import { openDiskSpace } from './disk-space.ts';
import type { Loop } from './loop.ts';
import { replayFile, takeReplay } from './redelivery.ts';
import type { OpenSound } from './sound.ts';

/** Work that waits for the end of a maintenance window waits so much longer at most. */
const WINDOWS_MS = 10_000;
/** Retention of the journal, away from the full hour at which everybody else works. */
const CLEAN_AT = '17 * * * *';

interface ScheduleDependencies {
  readonly runtime: Pick<ApplianceEngine, 'advance' | 'nextDueMs' | 'alarms' | 'configurationChanged'>;
  readonly loop: Loop;
  readonly journal: OpenJournal;
  readonly records: Pick<RecordStore, 'clean'>;
  readonly sound: Pick<OpenSound, 'recordingStore'>;
  readonly site: Pick<SiteAgent, 'reconfigure' | 'connected' | 'configurationChanged'>;
  readonly redelivery: Redelivery;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

/** Starts the recurring work: the loop's timers, retention, room on the disk, a bundle or a request that was laid down. */
export function startSchedules(
  config: ApplianceConfig,
  { runtime, loop, journal, records, sound, site, redelivery, log, run }: ScheduleDependencies,
  closing: (() => unknown)[],
): void {
  const { startTimer } = loop;
  const onDefect = (cause: unknown): void =>
    log('error', 'loop.defect_caught', 'Caught a defect in the loop', { cause: String(cause) });
  const diskSpace = openDiskSpace(config.data, {
    journal,
    recordingStore: sound.recordingStore,
    startTimer,
    log,
  });
  diskSpace.start();
  const windows = loop.timers.scope<'look'>((owner, timer, nowMs) => {
    windows.start(owner, timer, nowMs + WINDOWS_MS);
    runtime.alarms.lookAtWindows(site.connected);
  });
  windows.start('windows', 'look', clock.monoMs() + WINDOWS_MS);
  closing.push(
    loop.drive(runtime),
    () => diskSpace.stop(),
    atTimes(CLEAN_AT, () => journal.clean(clock.wallMs()), onDefect),
    atTimes(CLEAN_AT, () => records.clean(clock.wallMs(), config.retention), onDefect),
    watchFiles([bundleFile(config.data)], () => run(site.reconfigure())),
    watchFiles([replayFile(config.data)], () => takeReplay(config.data, redelivery, log)),
  );
  site.configurationChanged.add(() => runtime.configurationChanged());
  // The file may have been written while no run watched.
  takeReplay(config.data, redelivery, log);
}
