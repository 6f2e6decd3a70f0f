/**
 * Figures of the machine against their limits. A limit has two ends, so that a figure that dances around it raises one
 * alarm and not fifty.
 *
 *   well ──bad──▶ doubtful ──bad for holdMs──▶ raised ──good──▶ well
 *     ▲             │ not bad
 *     └─────────────┘
 */
export interface GaugeState {
  readonly at: 'well' | 'doubtful' | 'raised';
  /** Monotonic ms of the last change. */
  readonly sinceMs: number;
  readonly level: Severity;
}

export type Severity = 'info' | 'warning' | 'major' | 'critical';

/** The meaning of a reading: `bad` with how bad it is, `good` ends an alarm, neither leaves things as they are. */
export type Judgement =
  | { readonly kind: 'bad'; readonly level: Severity; readonly message: string; readonly holdMs: number }
  | { readonly kind: 'good' }
  | { readonly kind: 'between' };

export type GaugeEffect =
  | { readonly kind: 'raise'; readonly level: Severity; readonly message: string }
  | { readonly kind: 'clear' };

export const wellGauge: GaugeState = { at: 'well', sinceMs: 0, level: 'info' };

export function stepGauge(
  state: GaugeState,
  judged: Judgement,
  nowMs: number,
): { readonly state: GaugeState; readonly effect: GaugeEffect | undefined } {
  if (judged.kind !== 'bad') {
    if (state.at === 'raised' && judged.kind === 'between') return { state, effect: undefined };
    const effect = state.at === 'raised' ? ({ kind: 'clear' } as const) : undefined;
    return { state: state.at === 'well' ? state : { ...wellGauge, sinceMs: nowMs }, effect };
  }
  const { level, message, holdMs } = judged;
  // An alarm that has become worse is reported again, one that has become milder is not.
  if (state.at === 'raised') {
    if (RANK[level] <= RANK[state.level]) return { state, effect: undefined };
    return { state: { ...state, level }, effect: { kind: 'raise', level, message } };
  }
  const sinceMs = state.at === 'doubtful' ? state.sinceMs : nowMs;
  if (nowMs - sinceMs < holdMs) return { state: { at: 'doubtful', sinceMs, level }, effect: undefined };
  return { state: { at: 'raised', sinceMs: nowMs, level }, effect: { kind: 'raise', level, message } };
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, major: 2, critical: 3 };

const MIB = 1_048_576;
const MEMORY_HOLD_MS = 60_000;
const LEAST_FREE = 256 * MIB;

export interface MemoryReading {
  /** `MemAvailable` and `MemTotal`, bytes. */
  readonly availableBytes: number;
  readonly totalBytes: number;
  /** PSI `some avg60` in percent; undefined where the kernel does not measure it. */
  readonly stallPct: number | undefined;
}

/** lowMemory: MemAvailable < 10 % or < 256 MiB for 60 s, or PSI some avg60 > 20; over at ≥ 15 %. */
export function judgeMemory({ availableBytes, totalBytes, stallPct = 0 }: MemoryReading): Judgement {
  const freePct = (100 * availableBytes) / totalBytes;
  const free = `${Math.round(availableBytes / MIB)} MiB (${freePct.toFixed(0)} %) of memory are free`;
  // The average is one over 60 s already.
  if (stallPct > 20) {
    const message = `programs wait for memory ${stallPct.toFixed(0)} % of the time; ${free}`;
    return { kind: 'bad', level: 'major', message, holdMs: 0 };
  }
  if (freePct < 10 || availableBytes < LEAST_FREE) {
    return { kind: 'bad', level: 'major', message: free, holdMs: MEMORY_HOLD_MS };
  }
  return freePct >= 15 ? { kind: 'good' } : { kind: 'between' };
}

export interface DiskReading {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Fullness from 0 to 100, as the quotas count it. */
export const diskPct = ({ freeBytes, totalBytes }: DiskReading): number =>
  totalBytes === 0 ? 0 : 100 * (1 - freeBytes / totalBytes);

/** diskPressure: from 80 % on, critical from 95 % on; over below 78 %. */
export function judgeDisk(reading: DiskReading): Judgement {
  const fullPct = diskPct(reading);
  const message = `the disk is ${fullPct.toFixed(0)} % full, ${Math.round(reading.freeBytes / MIB)} MiB are free`;
  if (fullPct >= 95) return { kind: 'bad', level: 'critical', message, holdMs: 0 };
  if (fullPct >= 90) return { kind: 'bad', level: 'major', message, holdMs: 0 };
  if (fullPct >= 80) return { kind: 'bad', level: 'warning', message, holdMs: 0 };
  return fullPct < 78 ? { kind: 'good' } : { kind: 'between' };
}

const CLOCK_HOLD_MS = 10 * 60_000;

/** clockUnsynchronised: ten minutes without a time source. Chosen: a restart of the time daemon is no alarm. */
export function judgeClock(synchronised: boolean): Judgement {
  if (synchronised) return { kind: 'good' };
  const message = 'the clock has no time source; check the network time settings';
  return { kind: 'bad', level: 'warning', message, holdMs: CLOCK_HOLD_MS };
}

/** Chosen: shorter stretches stand in the log and in the figures; a start, a backup, a neighbour's burst are no alarm. */
const LATE_HOLD_MS = 120_000;
/** Chosen: in time for so long ends it. */
const IN_TIME_MS = 60_000;

/** The use of the processors of this machine, in percent of all of them. */
export interface ProcessorUse {
  /** The host of this virtual machine. */
  readonly stolenPct: number;
  /** This process. */
  readonly ownPct: number;
}

export interface LateReading {
  /** A media worker is late now. */
  readonly late: boolean;
  /** None has been late for so long. */
  readonly inTimeMs: number;
  /** undefined: unknown. */
  readonly use?: ProcessorUse | undefined;
}

/** Audio is late for two minutes without a break; over after a minute in time. A warning: no call is refused for it. */
export function judgeLate({ late, inTimeMs, use }: LateReading): Judgement {
  if (!late) return inTimeMs >= IN_TIME_MS ? { kind: 'good' } : { kind: 'between' };
  const who =
    use === undefined
      ? ''
      : ` (${use.stolenPct.toFixed(0)} % stolen by the host of this machine, ${use.ownPct.toFixed(0)} % used by Carillon)`;
  const message = `audio waits for the processor${who}; no call is refused for it; give this machine a processor of its own`;
  return { kind: 'bad', level: 'warning', message, holdMs: LATE_HOLD_MS };
}
