import { createHistogram } from 'node:perf_hooks';
import { type ProcessFigures, processReader } from '#shared/metric/index.ts';
import { every } from '#shared/timer/index.ts';

const LOOK_MS = 1_000;

/**
 * The resources of this process; the lateness of its event loop is measured from now on. Chosen: by one timer a second.
 * `monitorEventLoopDelay` woke an idle process fifty times a second, and counted its own 20 ms in.
 */
export function openProcessMeter(): { readonly read: () => ProcessFigures; readonly close: () => void } {
  const delay = createHistogram();
  // The histogram counts whole nanoseconds from 1 on.
  const note = (lateMs: number): void => delay.record(Math.max(1, Math.round(lateMs * 1e6)));
  return {
    read: processReader(process, delay, Date.now()),
    close: every(LOOK_MS, note, { isBackground: true }),
  };
}
