import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Processor time, memory and delay of this process, in Prometheus text format; measured from now on. */
export function openProcessMetric(): { readonly text: () => string; readonly close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const startedS = Math.round(Date.now() / 1_000 - process.uptime());
  return {
    text: () => {
      const { user, system } = process.cpuUsage();
      const lines: readonly (readonly [name: string, kind: string, value: number])[] = [
        ['process_cpu_seconds_total', 'counter', (user + system) / 1e6],
        ['process_resident_memory_bytes', 'gauge', process.memoryUsage.rss()],
        ['process_start_time_seconds', 'gauge', startedS],
        // Without an event there is nothing to give a percentile of.
        ['nodejs_eventloop_lag_p99_seconds', 'gauge', delay.count === 0 ? 0 : delay.percentile(99) / 1e9],
      ];
      delay.reset();
      return lines.map(([name, kind, value]) => `# TYPE ${name} ${kind}\n${name} ${value}\n`).join('');
    },
    close: () => void delay.disable(),
  };
}
