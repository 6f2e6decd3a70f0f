import type { HistoryTrialArgs } from '#shared/contract/history/index.ts';
import type { HostFacts } from '../../alarm/history/index.ts';

/** The order to the thread: the files it reads, the draft and its limits. */
export interface HistoryOrder {
  readonly journal: string;
  readonly configuration: string;
  readonly args: HistoryTrialArgs;
  readonly host: HostFacts;
  readonly limit: HistoryLimit;
}

export interface HistoryLimit {
  /** Most alarms that are looked at. */
  readonly alarms: number;
  /** Longest time of a trial, ms; what was tried until then is the answer. */
  readonly ms: number;
}
