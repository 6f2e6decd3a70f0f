import { createHistogram } from 'node:perf_hooks';
import { type ProcessFigures, processReader } from '#shared/metric/index.ts';

export interface ProcessMeter {
  readonly read: () => ProcessFigures;
  /** The event loop met a deadline so much later than it was due. */
  readonly late: (ms: number) => void;
}

/**
 * The resources of this process. Chosen: the deadlines that the loop meets anyway say how late it is; a timer of its own
 * for that (`monitorEventLoopDelay`) woke an idle process fifty times a second.
 */
export function openProcessMeter(): ProcessMeter {
  const delay = createHistogram();
  return {
    read: processReader(process, delay, Date.now()),
    // The histogram counts whole nanoseconds from 1 on.
    late: (ms) => delay.record(Math.max(1, Math.round(ms * 1e6))),
  };
}
