import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { ShelvedRecording } from '../../media/recording/index.ts';
import type { SoundAdapters } from './port.ts';
import type { RetryingStore } from './retrying-store.ts';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;
const DAY_MS = 86_400_000;

type UploadAdapters = Pick<SoundAdapters, 'upload' | 'keptDays'> & { readonly recordingStore: RetryingStore };
type Ports = Pick<KernelPorts, 'clock' | 'run' | 'log'> & TimerPorts;

/**
 * Chosen: `recordingReady` waits this long for the copy of the control plane, which then also answers for a host that is lost. A
 * longer file is reported before: the control plane passes its bytes through meanwhile.
 */
const REPORT_WAIT_MS = 10_000;

/** `stored`: the cloud has the files. `refused`: it never takes them. `pending`: it has them later. */
export type UploadState = 'stored' | 'refused' | 'pending';

/**
 * Recordings on their way to the cloud: one after the other, the oldest first, for as long as it takes. Those the cloud has
 * go from here when they are as old as recordings are kept (control plane 12), the others stay until it has them.
 *
 *   offered ─▶ waiting ─▶ uploading ─┬─ taken ─▶ store: uploaded ─ kept ─▶ removed here
 *                ▲                   ├─ refused ─▶ stays here, said in the log
 *                └── 30 s … 10 min ──┘ unreachable
 */
export class RecordingUpload {
  readonly #ports: Ports;
  readonly #adapters: UploadAdapters;
  readonly #waiting: ShelvedRecording[] = [];
  readonly #timers: TimerScope<'again' | 'clean' | 'report'>;
  /** Reports that wait, by id of their recording. */
  readonly #reports = new Map<string, (state: UploadState) => void>();
  #waitMs = FIRST_WAIT_MS;
  #busy = false;

  constructor(ports: Ports, adapters: UploadAdapters) {
    this.#ports = ports;
    this.#adapters = adapters;
    this.#timers = ports.timers.scope((key, timer) => {
      if (timer === 'report') this.#settle(key, 'pending');
      else if (timer === 'clean') ports.run(this.clean());
      else this.#next();
    });
  }

  /** Whether the recording goes to the cloud by itself: those of recording services are stored by command. */
  isWanted({ report, uploaded, files }: ShelvedRecording): boolean {
    return (
      this.#adapters.upload !== undefined && report.words !== 'callrecording' && !uploaded && files.length > 0
    );
  }

  #settle(recordingId: string, state: UploadState): void {
    this.#timers.stop(recordingId, 'report');
    const onState = this.#reports.get(recordingId);
    this.#reports.delete(recordingId);
    onState?.(state);
  }

  /**
   * Its files are complete. `onState` is called once: when the cloud has them, refuses them or is not reached, at the latest after
   * `REPORT_WAIT_MS`.
   */
  offer(recording: ShelvedRecording, onState?: (state: UploadState) => void): void {
    if (!this.isWanted(recording)) return;
    if (onState !== undefined) {
      this.#reports.set(recording.recordingId, onState);
      this.#timers.start(recording.recordingId, 'report', this.#ports.clock.monoMs() + REPORT_WAIT_MS);
    }
    if (this.#waiting.some(({ recordingId }) => recordingId === recording.recordingId)) return;
    this.#waiting.push(recording);
    this.#next();
  }

  /** Removes what has been in the cloud for long enough; again every day. */
  async clean(): Promise<void> {
    const { clock } = this.#ports;
    this.#timers.start('uploads', 'clean', clock.monoMs() + DAY_MS);
    for (const recording of await this.#adapters.recordingStore.all()) {
      const { uploaded, startedAtMs, endedAtMs = startedAtMs } = recording;
      if (uploaded && endedAtMs < clock.wallMs() - this.#adapters.keptDays * DAY_MS)
        await this.#adapters.recordingStore.remove(recording);
    }
  }

  #next(): void {
    const [recording] = this.#waiting;
    if (this.#busy || recording === undefined) return;
    this.#busy = true;
    this.#ports.run(
      this.#upload(recording).finally(() => {
        this.#busy = false;
      }),
    );
  }

  async #upload(recording: ShelvedRecording): Promise<void> {
    const { recordingId, replaces = false } = recording;
    // Another recording of the same name may have taken its place meanwhile.
    const now = (await this.#adapters.recordingStore.all()).find((each) => each.recordingId === recordingId);
    for (const { fileName, sha256 } of now?.files ?? []) {
      const path = this.#adapters.recordingStore.pathOf(fileName);
      const sent =
        path === undefined
          ? undefined
          : await this.#adapters.upload?.({ recordingId, fileName, sha256, path, replaces });
      if (sent === undefined || sent.ok) continue;
      this.#ports.log(
        sent.error.code === 'refused' ? 'error' : 'debug',
        'recording.upload_failed',
        'Could not upload a recording to the cloud',
        {
          recordingId,
          reason: sent.error.reason,
        },
      );
      if (sent.error.code === 'unreachable') {
        // Without WAN no report waits: neither this one nor those behind it.
        for (const each of this.#waiting) this.#settle(each.recordingId, 'pending');
        this.#timers.start('uploads', 'again', this.#ports.clock.monoMs() + this.#waitMs);
        this.#waitMs = Math.min(LONGEST_WAIT_MS, 2 * this.#waitMs);
        return;
      }
      this.#waiting.shift();
      this.#settle(recordingId, 'refused');
      this.#timers.start('uploads', 'again', this.#ports.clock.monoMs());
      return;
    }
    this.#waitMs = FIRST_WAIT_MS;
    this.#waiting.shift();
    // The recording may have been removed meanwhile, by request: then nothing of it comes back.
    await this.#adapters.recordingStore.change(recordingId, { uploaded: true });
    this.#settle(recordingId, now === undefined ? 'refused' : 'stored');
    this.#timers.start('uploads', 'again', this.#ports.clock.monoMs());
  }
}
