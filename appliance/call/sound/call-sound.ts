import { ulid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaEvent, MediaPorts } from '../../media/control/index.ts';
import type { ShelvedRecording } from '../../media/recording/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { CallControl } from '../control/index.ts';
import { LegHearings, LegTranscripts, type LiveTranscript } from './leg-hearing.ts';
import { LegRecorder } from './leg-recorder.ts';
import { LegStreams } from './leg-streams.ts';
import { locateFile } from './locate-file.ts';
import { PhrasePlayer } from './phrase-player.ts';
import type { SoundAdapters, SoundDependencies } from './port.ts';
import { type CloudCopy, reportsOf } from './recording-report.ts';
import { RecordingUpload, type UploadState } from './recording-upload.ts';
import { type RetryingStore, retryingStore } from './retrying-store.ts';
import { nothingShed, type SheddingInput, stepShedding } from './shedding.ts';
import type { HearRequest, RecordRequest, Sound, StreamRequest } from './sound.ts';

type Ports = KernelPorts & TimerPorts & BytePorts & TenantPorts & JournalPorts & MediaPorts;

const DAY_MS = 86_400_000;
/** A disk that was full is tried again after this. */
const FULL_AGAIN_MS = 30_000;

export interface CallSoundDependencies {
  readonly adapters: SoundAdapters;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
  readonly turn: (work: () => void) => void;
}

/**
 * Sound for calls: joins phrases, recordings and streams to the media engine and to the threads that make and take audio.
 *
 *   our own load is too much, and audio is late ─▶ (no new legs: media fleet) ─ 2 s ─▶ streams end ─ 60 s ─▶ recordings end
 *   ─ 120 s ─▶ programs that speak end
 */
export class CallSound implements Sound {
  readonly #ports: Ports;
  readonly #dependencies: CallSoundDependencies;
  readonly #plays: PhrasePlayer;
  readonly #records: LegRecorder;
  readonly #streams: LegStreams;
  readonly #hearings: LegHearings;
  readonly #transcripts: LegTranscripts;
  readonly #uploads: RecordingUpload;
  readonly #timers: TimerScope<'shed' | 'tidy' | 'shelve'>;
  readonly #recordingStore: RetryingStore;
  #shedding = nothingShed;
  /** A recording was made, or what there is of it. */
  readonly recordingMade = new Listeners<[]>();
  /** Streams are given up: so is whatever else leaves the house live. */
  readonly streamsShed = new Listeners<[]>();

  constructor(ports: Ports, dependencies: CallSoundDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    const { media, clock, random, run } = ports;
    const recordingStore = retryingStore(dependencies.adapters.recordingStore, (cause) => {
      ports.log('error', 'recording.write_failed', 'Could not write the state of a recording', {
        cause: String(cause),
      });
      this.#timers.start('recordingStore', 'shelve', clock.monoMs() + FULL_AGAIN_MS);
    });
    this.#recordingStore = recordingStore;
    const common: SoundDependencies = {
      ...dependencies.adapters,
      recordingStore,
      media,
      clock,
      random,
      run,
      turn: dependencies.turn,
      locate: (wanted, signal) =>
        locateFile(wanted, signal, dependencies.adapters, (fileName) => this.#records.stateOf(fileName)),
    };
    this.#plays = new PhrasePlayer(common);
    this.#uploads = new RecordingUpload(ports, { ...dependencies.adapters, recordingStore });
    this.#transcripts = new LegTranscripts(common);
    this.#records = new LegRecorder({
      ...common,
      transcripts: this.#transcripts,
      ended: (entry) => this.#report(entry),
      closed: ({ files }) => {
        if (files.length > 0) this.recordingMade.emit();
      },
    });
    this.#streams = new LegStreams(common);
    this.#hearings = new LegHearings(common);
    this.#timers = ports.timers.scope((_, timer, nowMs) => this.#due(timer, nowMs));
    dependencies.adapters.listen({
      stream: (event) => dependencies.turn(() => this.#streams.onStreamEvent(event)),
      recorder: (event) =>
        dependencies.turn(() => {
          if (event.kind === 'diskPressure') this.#pressure(event.on, event.freeBytes);
          else if (event.kind === 'unreadable') {
            ports.log(
              'error',
              'recording.complete_failed',
              'Could not complete a recording of the previous run',
              { ...event },
            );
            dependencies.adapters.damaged?.(event.file, event.reason);
          } else this.#records.onRecorderEvent(event);
        }),
    });
  }

  readonly play: Sound['play'] = (leg, request) => this.#plays.play(leg, request);
  readonly playTogether: Sound['playTogether'] = (requests) => this.#plays.playTogether(requests);
  readonly background: Sound['background'] = (leg, request) => this.#plays.background(leg, request);
  readonly ringback: Sound['ringback'] = (leg, country) => this.#plays.ringback(leg, country);

  silence(leg: string): void {
    this.#plays.silence(leg);
  }

  hasFile(fileName: string): boolean {
    return this.#dependencies.adapters.pathOf(fileName) !== undefined;
  }

  record(request: RecordRequest) {
    return this.#records.record(request);
  }

  stream(request: StreamRequest) {
    return this.#streams.stream(request);
  }

  hear(request: HearRequest) {
    return this.#hearings.hear(request);
  }

  /** The words of recordings that run. */
  get transcripts(): readonly { readonly entry: ShelvedRecording; readonly live: LiveTranscript }[] {
    return this.#records.transcripts;
  }

  /** Recordings and streams that run. */
  get load(): { readonly recordings: number; readonly streams: number } {
    return { recordings: this.#records.size, streams: this.#streams.size };
  }

  /** Takes an event of the media engine. */
  onMediaEvent(event: MediaEvent): void {
    this.#dependencies.turn(() => this.#onMediaEvent(event));
  }

  #onMediaEvent(event: MediaEvent): void {
    this.#plays.onMediaEvent(event);
    this.#records.onMediaEvent(event);
    this.#streams.onMediaEvent(event);
    if (event.kind === 'overload' || event.kind === 'late' || event.kind === 'lost')
      this.#shed(event, this.#ports.clock.monoMs());
  }

  /** Within a turn. */
  #shed(input: SheddingInput, nowMs: number): void {
    const { state, effects, dueMs } = stepShedding(this.#shedding, input, nowMs);
    this.#shedding = state;
    if (dueMs === undefined) this.#timers.stop('media', 'shed');
    else this.#timers.start('media', 'shed', dueMs);
    for (const what of effects) {
      this.#ports.log(
        'warn',
        'media.load_shed',
        'Ended recordings or streams so that calls continue: this host was overloaded',
        { kind: 'mediaShed', what, ...this.load },
      );
      if (what === 'recordings') this.#records.endAll('overload');
      else if (what === 'speakingStreams') this.#streams.shed('speaking');
      else {
        this.#streams.shed('listening');
        this.#transcripts.shed();
        this.streamsShed.emit();
      }
    }
  }

  /** Recordings of an earlier run are completed and reported. */
  restore(): void {
    this.#ports.run(this.#restored());
  }

  async #restored(): Promise<void> {
    await this.#records.restore();
    for (const recording of await this.#recordingStore.all())
      if (recording.reported) this.#uploads.offer(recording);
    await this.#uploads.clean();
    this.#tidy();
  }

  #tidy(): void {
    this.#timers.start('prompts', 'tidy', this.#ports.clock.monoMs() + DAY_MS);
    this.#dependencies.adapters.tidy?.();
  }

  #due(timer: 'shed' | 'tidy' | 'shelve', nowMs: number): void {
    if (timer === 'tidy') this.#tidy();
    else if (timer === 'shelve') this.#ports.run(this.#recordingStore.again());
    else this.#dependencies.turn(() => this.#shed({ kind: 'due' }, nowMs));
  }

  /**
   * On the disk before it is tried; the store knows which rows, so that a crash in between repeats none. Where the store could
   * not be written, the next run reports under the ids of this one, and rows of the journal are not sent again.
   */
  async #report(entry: ShelvedRecording): Promise<void> {
    if (entry.report.dest === undefined) {
      const reported = { deliveries: [], reported: true };
      await this.#recordingStore.change(entry.recordingId, reported);
      this.#uploads.offer({ ...entry, ...reported });
    } else if (this.#uploads.isWanted(entry)) {
      // The application waits for the copy of the control plane, the session that made the recording does not.
      this.#uploads.offer(entry, (state) => this.#ports.run(this.#tell(entry, state)));
    } else await this.#tell(entry, entry.uploaded ? 'stored' : 'pending');
  }

  /** Writes the callbacks of a recording into the journal. */
  async #tell(entry: ShelvedRecording, state: UploadState): Promise<void> {
    const { delivery } = this.#dependencies;
    const { dest = '', sessionId } = entry.report;
    const { journal, place, tenant } = this.#ports;
    const { domain, access } = tenant();
    const items = reportsOf(entry, domain, place, this.#copyAt(state, access.publicUrl)).map((call) => ({
      lane: 'svc' as const,
      dest,
      orderKey: sessionId,
      type: entry.event ?? 'recordingFailed',
      call,
      state: 'new' as const,
      late: false,
    }));
    const rows = items.map((item, index) => {
      return { ...delivery.row(item), id: entry.deliveries[index] ?? this.#deliveryId(entry, index) };
    });
    const deliveries = rows.map(({ id }) => id);
    if (entry.deliveries.length === 0) await this.#recordingStore.change(entry.recordingId, { deliveries });
    const fresh = rows.filter(({ id }) => journal.outboxRow(id) === undefined);
    await journal.commit(fresh.map((row) => ({ kind: 'outbox', row })));
    for (const row of fresh) delivery.queued(row);
    await this.#recordingStore.change(entry.recordingId, { deliveries, reported: true });
  }

  /** The control plane passes through what it has not taken, while it reaches this host. */
  #copyAt(state: UploadState, baseUrl: string | undefined): CloudCopy | undefined {
    if (baseUrl === undefined || state === 'refused') return undefined;
    return { baseUrl, isReady: state === 'stored' || this.#dependencies.adapters.reachesCloud?.() === true };
  }

  /** The same in every life. */
  #deliveryId({ recordingId, startedAtMs }: ShelvedRecording, index: number): string {
    const name = this.#ports.sha256Hex(Buffer.from(JSON.stringify(['recording', recordingId, index])));
    return ulid(startedAtMs, Buffer.from(name, 'hex'));
  }

  #pressure(on: boolean, freeBytes: number): void {
    this.#ports.log(
      on ? 'error' : 'info',
      on ? 'recording.space_ended' : 'recording.space_regained',
      on ? 'The disk had no more room for recordings' : 'The disk had room for recordings again',
      { enough: !on, freeBytes },
    );
    if (!on) return;
    const { hostId } = this.#ports.place;
    const message = 'The disk has no more room for recordings: new ones are refused until there is some';
    this.#dependencies.alarms.raise({ type: 'diskPressure', freeBytes, hostId, errorDetails: { message } });
  }
}

/** Sound of calls, which works in their turns. */
export function joinSound(
  ports: Ports,
  adapters: SoundAdapters,
  dependencies: {
    readonly calls: CallControl;
    readonly delivery: DeliveryService;
    readonly alarms: PlatformAlarms;
  },
): CallSound {
  const { calls, delivery, alarms } = dependencies;
  return new CallSound(ports, { adapters, delivery, alarms, turn: (work) => calls.turn(work) });
}
