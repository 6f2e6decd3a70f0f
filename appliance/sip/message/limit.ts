/** Limits checked before anything is read from a message; sizes in bytes. */
export interface Limit {
  /** Whole message when it came as a datagram. */
  readonly datagram: number;
  /** One line, folded continuation lines each by themselves. */
  readonly line: number;
  /** Header fields of one message. */
  readonly fields: number;
  readonly body: number;
}

export const DEFAULT_LIMIT: Limit = { datagram: 65_536, line: 8_192, fields: 128, body: 262_144 };
