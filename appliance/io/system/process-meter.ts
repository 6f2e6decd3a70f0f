import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessFigures } from '#shared/metric/index.ts';

export interface ProcessMeter {
  readonly read: () => ProcessFigures;
  readonly close: () => void;
}

/** What this process costs; the delay of its event loop is measured from now on, and anew after each look. */
export function openProcessMeter(): ProcessMeter {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const startedS = Math.round(Date.now() / 1_000 - process.uptime());
  return {
    read: () => {
      const { user, system } = process.cpuUsage();
      // Without an event there is nothing to give a percentile of.
      const lagP99S = delay.count === 0 ? 0 : delay.percentile(99) / 1e9;
      delay.reset();
      return { cpuS: (user + system) / 1e6, residentBytes: residentBytes(), startedS, lagP99S };
    },
    close: () => void delay.disable(),
  };
}

/** It throws without /proc; no figure may end the process. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
