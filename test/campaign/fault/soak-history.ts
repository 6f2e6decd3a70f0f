import type { Verdict } from '#test/support/site-history.ts';

/** A look at the appliance. */
export interface Sample {
  /** Since the load began. */
  readonly atMs: number;
  readonly memoryBytes: number;
  readonly descriptors: number;
  readonly timers: number;
  readonly diskBytes: number;
  /** Alarms acknowledged so far. */
  readonly alarms: number;
}

/** Shorter runs show figures and prove nothing about growth. ms */
const JUDGED_FROM_MS = 10 * 60_000;
/** Growth from the second third to the last that is no leak, as a share and at least. */
const MAY_GROW = {
  memoryBytes: { share: 0.1, least: 24 << 20 },
  descriptors: { share: 0.05, least: 12 },
  timers: { share: 0.1, least: 30 },
} as const;
/** Bytes of the disk for an alarm may vary by this share, for checkpoints come when they come. */
const DISK_SHARE = 0.3;

/** Memory, descriptors, timers and the disk of each alarm are flat: the last third is as the second one was. */
export function judgeSoak(samples: readonly Sample[]): Verdict {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || samples.length < 3 || last.alarms === 0)
    return { figures: { samples: samples.length }, violations: ['too little was seen: nothing was proven'] };
  const third = Math.floor(samples.length / 3);
  const [middle, end] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const violations: string[] = [];
  const isJudged = last.atMs >= JUDGED_FROM_MS;
  for (const [what, { share, least }] of Object.entries(MAY_GROW)) {
    const of = what as keyof typeof MAY_GROW;
    const [was, is] = [median(middle.map((sample) => sample[of])), median(end.map((sample) => sample[of]))];
    if (isJudged && is - was > Math.max(least, share * was))
      violations.push(`${what} grew from ${Math.round(was)} to ${Math.round(is)}`);
  }
  const [was, is] = [perAlarm(middle), perAlarm(end)];
  if (isJudged && is > was * (1 + DISK_SHARE))
    violations.push(`an alarm took ${Math.round(is)} bytes of the disk, and ${Math.round(was)} before`);
  const megabytes = (bytes: number): number => Math.round(bytes / (1 << 20));
  return {
    figures: {
      samples: samples.length,
      'MB at first': megabytes(first.memoryBytes),
      'MB at last': megabytes(last.memoryBytes),
      'descriptors at first': first.descriptors,
      'descriptors at last': last.descriptors,
      'timers at first': first.timers,
      'timers at last': last.timers,
      'bytes of disk for an alarm': Math.round(is),
    },
    violations,
  };
}

function perAlarm(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return (last.diskBytes - first.diskBytes) / Math.max(1, last.alarms - first.alarms);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
