import { type Family, gauge } from './family.ts';

/** What a process costs, as its rim reads it at each look. */
export interface ProcessFigures {
  /** Seconds of processor time since the start, user and system. */
  readonly cpuS: number;
  /** Undefined where the kernel does not tell. */
  readonly residentBytes: number | undefined;
  /** Epoch seconds. */
  readonly startedS: number;
  /** How late the event loop ran since the last look, 99th percentile, seconds. */
  readonly lagP99S: number;
}

/** `read` is called once for each exposition, by the first of the families. */
export function processFamilies(read: () => ProcessFigures): readonly Family[] {
  let now: ProcessFigures | undefined;
  const first = (): ProcessFigures => {
    now = read();
    return now;
  };
  const cpu = gauge('process_cpu_seconds_total', 'Processor time of this process', () => first().cpuS);
  return [
    { ...cpu, kind: 'counter' },
    gauge('process_resident_memory_bytes', 'Memory of this process', () => now?.residentBytes),
    gauge('process_start_time_seconds', 'Start of this process, Unix time', () => now?.startedS),
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      'How late the event loop ran since the last look, 99th percentile',
      () => now?.lagP99S,
    ),
  ];
}
