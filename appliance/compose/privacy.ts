import type { AlarmSending } from '../alarm/sending/index.ts';
import type { CaptureStore } from '../io/capture/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { RecordStore } from '../io/sqlite/record-store/index.ts';
import type { Log } from '../io/system/index.ts';
import type { RecordingStore } from '../media/recording/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';
import { PersonalData } from '../site/privacy/index.ts';
import { clock } from './adapters.ts';

/** Stores besides the journal that hold personal data. */
interface PersonalStores {
  readonly records: Pick<RecordStore, 'erase' | 'named'>;
  readonly capture: Pick<CaptureStore, 'erase'> | undefined;
}

/** Requests of the cloud about what this host knows of a device or a person. */
export const privacyOperations = (
  journal: OpenJournal,
  recordingStore: RecordingStore,
  log: Log,
  sending: Pick<AlarmSending, 'forget'>,
  { records, capture }: PersonalStores,
): Readonly<Record<string, RemoteOperation>> =>
  new PersonalData({
    ...{ journal, recordingStore, log, nowMs: clock.wallMs },
    forget: (subject) => sending.forget(subject),
    captured: capture && ((isIn, traceIds) => capture.erase(isIn, traceIds)),
    recordsOf: (subject, of, afterSeq) => records.named(subject, of, afterSeq),
    records: (subject, { sessions, traces }) => records.erase(subject, sessions, traces),
  }).operations;
