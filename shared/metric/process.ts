import { type Family, gauge } from './family.ts';

/** The resources of a process, as its adapter reads them at each look. */
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

/** The process as Node shows it to itself (`node:process`). */
export interface OwnProcess {
  readonly uptime: () => number;
  /** Microseconds. */
  readonly cpuUsage: () => { readonly user: number; readonly system: number };
  /** Bytes; throws without /proc. */
  readonly memoryUsage: { readonly rss: () => number };
}

/** Nanoseconds by which the event loop was late, as a histogram of Node. */
export interface LoopDelay {
  readonly count: number;
  readonly percentile: (percentile: number) => number;
  readonly reset: () => void;
}

/** Reads the resources of a process at each look; the delay is reset after each. `nowMs`: epoch ms of this call. */
export function processReader(own: OwnProcess, delay: LoopDelay, nowMs: number): () => ProcessFigures {
  const startedS = Math.round(nowMs / 1_000 - own.uptime());
  return () => {
    const { user, system } = own.cpuUsage();
    // Without an event there is nothing to give a percentile of.
    const lagP99S = delay.count === 0 ? 0 : delay.percentile(99) / 1e9;
    delay.reset();
    return { cpuS: (user + system) / 1e6, residentBytes: residentBytes(own), startedS, lagP99S };
  };
}

/** No figure may end the process. */
function residentBytes({ memoryUsage }: OwnProcess): number | undefined {
  try {
    return memoryUsage.rss();
  } catch {
    return undefined;
  }
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
