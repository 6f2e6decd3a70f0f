import type { SelfTestCode, SelfTestId } from './en.codes.ts';

/** One point of the self-test. `skipped`: there is nothing to test here; it counts neither as passed nor as failed. */
export interface SelfTestPoint {
  readonly id: SelfTestId;
  readonly verdict: 'ok' | 'warning' | 'failure' | 'skipped';
  /** The measurement, or the reason of the failure; short, without names of people or numbers. */
  readonly found: string;
  /** The key of the advice for a person, or of the reason why it was skipped; none where all is well. */
  readonly code?: SelfTestCode | undefined;
  readonly ms: number;
}

/** Where the last record lies, in the folder of all state. */
export const SELF_TEST_FILE = 'self-test.json';

/** The technician's acceptance record: kept with its time, and sent when the host is enrolled. */
export interface SelfTestRecord {
  readonly v: 1;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly release: string;
  readonly hostId: string;
  readonly siteId: string | undefined;
  /** No point failed; some may have been skipped. */
  readonly passed: boolean;
  readonly points: readonly SelfTestPoint[];
}
