/** One point of the self-test. `skipped`: there is nothing to test here (no control plane, no peer to ask). */
export interface SelfTestPoint {
  readonly id: SelfTestId;
  readonly verdict: 'ok' | 'warning' | 'failure' | 'skipped';
  /** What was measured, or why it failed; short, without names of people or numbers. */
  readonly found: string;
  readonly ms: number;
}

export type SelfTestId =
  | 'sip'
  | 'rtp'
  | 'dtmf'
  | 'codecs'
  | 'tts'
  | 'dns'
  | 'ntp'
  | 'tls'
  | 'mqtt'
  | 'ports'
  | 'sip-alg'
  | 'fsync'
  | 'memory';

/** The technician's acceptance record: kept with its time, and sent when the host is enrolled. */
export interface SelfTestRecord {
  readonly v: 1;
  readonly at: string;
  readonly release: string;
  readonly hostId: string;
  readonly siteId: string | undefined;
  readonly passed: boolean;
  readonly points: readonly SelfTestPoint[];
}

/** What a point found out: a value for the person, or why it is no good. */
export interface Outcome {
  readonly verdict: SelfTestPoint['verdict'];
  readonly found: string;
}

export const good = (found: string): Outcome => ({ verdict: 'ok', found });
export const bad = (found: string): Outcome => ({ verdict: 'failure', found });
export const doubtful = (found: string): Outcome => ({ verdict: 'warning', found });
export const skipped = (found: string): Outcome => ({ verdict: 'skipped', found });
