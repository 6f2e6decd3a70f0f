/** Limits checked before a description is read. */
export interface SdpLimit {
  /** Bytes of the whole text. */
  readonly size: number;
  /** Signs of one line. */
  readonly line: number;
  readonly lines: number;
  readonly media: number;
  /** Formats of one m-line. */
  readonly formats: number;
}

/** Chosen: browsers send some 6 kB and 120 lines; recorders' clients a dozen m-lines. */
export const DEFAULT_SDP_LIMIT: SdpLimit = {
  size: 65_536,
  line: 2_048,
  lines: 1_024,
  media: 32,
  formats: 64,
};
