import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressPolicySetting, addressPolicy } from '#shared/matching/index.ts';
import { keyHash } from '../capture/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { type CaptureStore, HepSender, openCapture } from '../io/capture/index.ts';
import { ownAddresses } from '../io/egress/index.ts';
import {
  type JournalSetting,
  lockFolder,
  type OpenJournal,
  openJournal,
  watchedJournal,
} from '../io/sqlite/index.ts';
import type { Log } from '../io/system/index.ts';
import { tracePages } from '../io/trace/index.ts';
import type { TraceEntry } from '../kernel/session-trace.ts';
import { type DamageReports, journalDamage } from '../site/supervision/index.ts';
import { clock, VERSION } from './adapters.ts';

interface Disk {
  readonly journal: OpenJournal;
  /** The same journal for whoever writes alarms, and whether it can be written now. */
  readonly disk: ReturnType<typeof watchedJournal>;
}

/**
 * The data folder, for this process alone, and the journal in it. `synced` hears how long each COMMIT waited for the disk, ms.
 * Throws with the file in the message.
 */
export async function openDisk(
  { data, retention }: Pick<ApplianceConfig, 'data' | 'retention'>,
  synced: (ms: readonly number[]) => void,
  damage: DamageReports,
  closing: (() => unknown)[],
): Promise<Disk> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(data);
  closing.push(unlock);
  const onBatch: JournalSetting['onBatch'] = (_callers, _ms, syncs) => synced(syncs);
  const journal = await openJournal({
    file: join(data, 'journal.db'),
    retention,
    onBatch,
    onSalvaged: (salvage) => damage.found(journalDamage(salvage, onReported)),
  });
  const onReported = () => journal.salvageReported();
  closing.push(() => journal.close());
  if (journal.salvage !== undefined) damage.found(journalDamage(journal.salvage, onReported));
  return { journal, disk: watchedJournal(journal, clock.monoMs) };
}

/** Certificates that are trusted beside the usual ones (PEM); undefined: none. */
export function trustOf({ trustFile }: Pick<ApplianceConfig, 'trustFile'>): string | undefined {
  if (trustFile === undefined) return undefined;
  try {
    return readFileSync(trustFile, 'utf8');
  } catch (cause) {
    throw new Error(`CARILLON_TRUST cannot be read: ${(cause as Error).message}`);
  }
}

const DAY_MS = 86_400_000;

interface CaptureParts {
  readonly journal: Pick<OpenJournal, 'tracePart'>;
  readonly reachable: Pick<AddressPolicySetting, 'allowPrivate' | 'listeners'>;
  readonly hostId: () => string;
  readonly log: Log;
  readonly closing: (() => unknown)[];
}

/** The capture of this host; undefined: it is switched off. */
export async function openHostCapture(
  config: Pick<ApplianceConfig, 'data' | 'address' | 'hostId' | 'captureBytes' | 'hep' | 'retention'>,
  { journal, reachable, hostId, log, closing }: CaptureParts,
): Promise<CaptureStore | undefined> {
  if (config.captureBytes === 0) return undefined;
  const nowMs = (): number => performance.timeOrigin + performance.now();
  const { hep } = config;
  const failed = (reason: string): void =>
    log('warn', 'capture.write_failed', 'Stopped the capture of messages: its files cannot be written', {
      reason,
    });
  // A host without a capture takes alarms; one that does not start takes none.
  const capture = await openCapture({
    folder: join(config.data, 'capture'),
    bytes: config.captureBytes,
    keepMs: config.retention.logs * DAY_MS,
    ownAddress: config.address,
    hostId,
    program: `carillon ${VERSION}`,
    nowMs,
    trace: (traceId) => tracePages(journal, traceId),
    failed,
    hep:
      hep &&
      new HepSender({
        ...hep,
        policy: addressPolicy({ ...reachable, ownAddresses }),
        ownAddress: config.address,
        agent: keyHash(config.hostId),
        nowMs,
        failed: (reason) =>
          log('warn', 'hep.send_failed', 'Could not send captured messages to the capture server', {
            ...hep,
            reason,
          }),
      }),
  }).catch((cause: unknown) => {
    failed(String(cause));
    return undefined;
  });
  if (capture === undefined) return undefined;
  closing.push(() => capture.close());
  return capture;
}

/** The steps of a trace in the journal. */
export const traceOf = (journal: Pick<OpenJournal, 'trace'>, traceId: string): TraceEntry[] =>
  journal.trace(traceId).flatMap(({ body }) => JSON.parse(body) as TraceEntry[]);
