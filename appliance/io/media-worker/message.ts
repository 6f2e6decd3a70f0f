import type { Result } from '#shared/result.ts';
import type {
  LegId,
  LegOpening,
  LegStatistics,
  MediaEvent,
  MediaFault,
  OpenLeg,
} from '../../media/control/index.ts';
import type { EngineCommand, OverloadSetting } from '../../media/engine/index.ts';

/** The setting that a media worker gets when it starts. */
export interface WorkerSetting extends OverloadSetting {
  readonly worker: number;
  /** Addresses to listen at. */
  readonly host4: string;
  readonly host6: string;
  readonly warmUpMs: number;
  readonly tooLateMs: number | undefined;
  /** When tick 0 of all workers is, by the monotonic clock of the process. */
  readonly epochNs: bigint;
  /** Where the worker notes what is to be closed when it ends without a word (`Descriptors`). */
  readonly descriptors: SharedArrayBuffer;
}

/** Each is answered under its id, in the order in which it came; a message has all that one turn of the main thread asks. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: 'open'; readonly opening: LegOpening; readonly port: number }
  | { readonly id: number; readonly kind: 'command'; readonly command: EngineCommand }
  | { readonly id: number; readonly kind: 'load' }
  | { readonly id: number; readonly kind: 'end' };

/** `PortTaken`: another program has that port; the next one may be free. */
export interface OpenFault {
  readonly code: MediaFault['code'] | 'PortTaken';
  readonly reason: string;
}
export type OpenAnswer = Result<OpenLeg, OpenFault>;
export type CommandResult = Result<undefined | LegStatistics, MediaFault>;

/** How a worker does. */
export interface WorkerLoad {
  readonly legs: number;
  /** It does not keep up, for whatever reason. */
  readonly late: boolean;
  /** Its own load is too much. */
  readonly overloaded: boolean;
  /** Ticks left out because they were too late. */
  readonly skippedTicks: number;
  /** Frames lost because a recorder, a stream or another worker was too slow. */
  readonly overruns: number;
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  readonly latenessMaxMs: number;
  readonly latenessSumMs: number;
  readonly lateness: readonly { readonly uptoMs: number; readonly count: number }[];
  /** Part of one core used since the last question, 0 to 1. */
  readonly cpuShare: number;
}

export type WorkerReply =
  /** `slowSockets`: why the sockets are Node's and not the kernel's. */
  | { readonly kind: 'ready'; readonly slowSockets: string | undefined }
  | { readonly kind: 'opened'; readonly id: number; readonly answer: OpenAnswer }
  | { readonly kind: 'done'; readonly id: number; readonly answer: CommandResult }
  | { readonly kind: 'load'; readonly id: number; readonly load: WorkerLoad }
  | { readonly kind: 'ended'; readonly id: number }
  /** A bug of ours: for the log. The leg is closed, when one is named. */
  | { readonly kind: 'defect'; readonly leg: LegId; readonly reason: string }
  /** It could not be answered because of one. */
  | { readonly kind: 'failed'; readonly id: number }
  | { readonly kind: 'event'; readonly event: MediaEvent };
