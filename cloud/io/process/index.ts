import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type ProcessFigures, processReader } from '#shared/metric/index.ts';

/** The resources of this process; the lateness of its event loop is measured from now on. */
export function openProcessMeter(): { readonly read: () => ProcessFigures; readonly close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return { read: processReader(process, delay, Date.now()), close: () => void delay.disable() };
}
