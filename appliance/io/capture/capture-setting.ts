import type { CaptureDocument, TraceLine } from '../../capture/index.ts';
import type { HepSender } from './hep-sender.ts';

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
  /** The steps of a trace, by which its messages are found. */
  readonly trace: (traceId: string) => Promise<readonly TraceLine[]>;
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

/** The messages of a trace, in both forms. */
export interface Capture {
  readonly document: CaptureDocument;
  /** `capture.pcapng`. */
  readonly pcapng: Buffer;
}
