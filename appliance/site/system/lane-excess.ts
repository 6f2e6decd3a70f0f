import { laneLimits, type Relief } from '../../delivery/outbox/index.ts';

/** Chosen: what waits may take a quarter of the disk, at most a GiB; nine days of a busy site fit into it. */
const BUDGET_SHARE = 0.25;
const BUDGET_BYTES = 1_073_741_824;
/** Counting bytes reads every row that waits: it is done only when there are many, or the disk is nearly full. */
const MANY_ROWS = 10_000;
/** Lanes that give way, the one that is missed least first. */
const LANES = ['usage', 'audit', 'svc'] as const;

type Waiting = Readonly<Record<'alarm' | 'svc' | 'audit' | 'usage', number>>;

export interface LaneExcess {
  readonly lane: (typeof LANES)[number];
  readonly bytes: number;
}

/** Whether the bytes that wait are worth counting. */
export const mustCountBytes = ({ alarm, svc, audit, usage }: Waiting, relief: readonly Relief[]): boolean =>
  relief.includes('dropUsage') || alarm + svc + audit + usage > MANY_ROWS;

/** The excess of each lane over its quota. On a full disk usage goes altogether, and the other lanes stay. */
export function lanesToDrop(
  waiting: Waiting,
  relief: readonly Relief[],
  totalBytes: number,
): readonly LaneExcess[] {
  const isFull = relief.includes('dropUsage');
  const limits = laneLimits(waiting, isFull ? 0 : Math.min(BUDGET_BYTES, BUDGET_SHARE * totalBytes));
  const lanes = isFull ? (['usage'] as const) : LANES;
  return lanes.flatMap((lane) => {
    const bytes = waiting[lane] - limits[lane];
    return bytes > 0 ? [{ lane, bytes }] : [];
  });
}
