import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { ShelvedRecording } from '../../media/recording/index.ts';
import type { SoundAdapters } from './port.ts';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;
const DAY_MS = 86_400_000;

type Ports = Pick<KernelPorts, 'clock' | 'run' | 'log'> & TimerPorts;

/**
 * Recordings on their way to the cloud: one after the other, the oldest first, for as long as it takes. Those the cloud has
 * go from here when they are as old as recordings are kept (control plane 12), the others stay until it has them.
 *
 *   offered ─▶ waiting ─▶ uploading ─┬─ taken ─▶ shelf: uploaded ─ kept ─▶ removed here
 *                ▲                   ├─ refused ─▶ stays here, said in the log
 *                └── 30 s … 10 min ──┘ unreachable
 */
export class RecordingUpload {
  readonly #ports: Ports;
  readonly #rim: SoundAdapters;
  readonly #waiting: ShelvedRecording[] = [];
  readonly #timers: TimerScope<'again' | 'clean'>;
  #waitMs = FIRST_WAIT_MS;
  #busy = false;

  constructor(ports: Ports, rim: SoundAdapters) {
    this.#ports = ports;
    this.#rim = rim;
    this.#timers = ports.timers.scope((_, timer) => {
      if (timer === 'clean') ports.run(this.clean());
      else this.#next();
    });
  }

  /** Its files are complete. */
  offer(recording: ShelvedRecording): void {
    // Those of recording services are stored by command.
    if (recording.report.words === 'callrecording') return;
    if (this.#rim.upload === undefined || recording.uploaded || recording.files.length === 0) return;
    if (this.#waiting.some(({ recordingId }) => recordingId === recording.recordingId)) return;
    this.#waiting.push(recording);
    this.#next();
  }

  /** Removes what has been in the cloud for long enough; again every day. */
  async clean(): Promise<void> {
    const { clock } = this.#ports;
    this.#timers.start('uploads', 'clean', clock.monoMs() + DAY_MS);
    for (const recording of await this.#rim.shelf.all()) {
      const { uploaded, startedAtMs, endedAtMs = startedAtMs } = recording;
      if (uploaded && endedAtMs < clock.wallMs() - this.#rim.keptDays * DAY_MS)
        await this.#rim.shelf.remove(recording);
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
    const now = (await this.#rim.shelf.all()).find((each) => each.recordingId === recordingId);
    for (const { fileName, sha256 } of now?.files ?? []) {
      const path = this.#rim.shelf.pathOf(fileName);
      const sent =
        path === undefined
          ? undefined
          : await this.#rim.upload?.({ recordingId, fileName, sha256, path, replaces });
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
        this.#timers.start('uploads', 'again', this.#ports.clock.monoMs() + this.#waitMs);
        this.#waitMs = Math.min(LONGEST_WAIT_MS, 2 * this.#waitMs);
        return;
      }
      this.#waiting.shift();
      this.#timers.start('uploads', 'again', this.#ports.clock.monoMs());
      return;
    }
    this.#waitMs = FIRST_WAIT_MS;
    this.#waiting.shift();
    // The recording may have been removed meanwhile, by request: then nothing of it comes back.
    const stands = (await this.#rim.shelf.all()).some((each) => each.recordingId === recordingId);
    if (stands) await this.#rim.shelf.put({ ...recording, uploaded: true });
    this.#timers.start('uploads', 'again', this.#ports.clock.monoMs());
  }
}
