import type { CaptureDocument, TraceLine } from '../../capture/index.ts';
import type { HepSender } from './hep-sender.ts';

/** A page of a trace; without lines it is damaged, and its steps are lost. */
interface TracePage {
  readonly lines: readonly TraceLine[] | undefined;
}

export interface CaptureSetting {
  /** Folder of the segments. */
  readonly folder: string;
  /** All segments together. */
  readonly bytes: number;
  /** A message is kept so long, ms. */
  readonly keepMs: number;
  /** Address of this host, for listeners that take every address. */
  readonly ownAddress: string;
  readonly hostId: () => string;
  /** `carillon 1.2.3`: stands in the file. */
  readonly program: string;
  /** Epoch ms with fraction, from the monotonic clock, as in traces. */
  readonly nowMs: () => number;
  /** The steps of a trace page by page, by which its messages are found. */
  readonly trace: (traceId: string) => AsyncIterable<TracePage> | Iterable<TracePage>;
  /** A disk that cannot be written; once. */
  readonly failed: (reason: string) => void;
  readonly hep?: HepSender | undefined;
}

/** Either a trace, or Call-IDs; times (epoch ms) narrow it down. */
export interface CaptureRequest {
  readonly traceId?: string | undefined;
  readonly callIds?: readonly string[] | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The messages of a trace, and its files. A file is made when it is asked for, in slices: up to 16 MB hold nothing up. */
export interface Capture {
  readonly document: CaptureDocument;
  /** `capture.json`. */
  readonly json: () => Promise<Buffer>;
  /** `capture.pcapng`. */
  readonly pcapng: () => Promise<Buffer>;
}
