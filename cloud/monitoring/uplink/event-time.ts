import type { BatchClock, EventItem } from '#shared/contract/feed/index.ts';

/** A smaller difference is a clock that was set right a little, and no reason to doubt it. */
const DIFFERENT_MS = 2_000;
/** Clocks differ by less; whatever lies further ahead of its receipt has not happened then. */
const MOST_AHEAD_MS = 600_000;

export interface EventTime {
  /** Epoch ms. */
  readonly at: number;
  /** The host's own clock was wrong, or it is unknown whether it was right: people see "~". */
  readonly estimated: boolean;
}

/**
 * When an event happened (control plane 8): as its host says, unless its clock had no source then. In that case by the next
 * moment of the same boot at which it had one, else by the time that has passed since: `rx − (mono_now − mono_event)`.
 * An event of an earlier boot that never had one keeps its time, and is doubted. So does, undoubted, what an older program
 * counted from its own start. Nothing happens after it was received: a clock that is far ahead, whatever it says of itself, is not
 * believed, or what it tells would stand above everything else for ever.
 */
export function eventTime(
  item: Pick<EventItem, 'ts' | 'mono' | 'boot' | 'origin'>,
  clk: BatchClock | undefined,
  receivedAt: number,
): EventTime {
  const stated = statedTime(item, clk, receivedAt);
  return stated.at > receivedAt + MOST_AHEAD_MS ? { at: receivedAt, estimated: true } : stated;
}

function statedTime(
  { ts, mono, boot, origin }: Pick<EventItem, 'ts' | 'mono' | 'boot' | 'origin'>,
  clk: BatchClock | undefined,
  receivedAt: number,
): EventTime {
  // Taken over from another host: its clock is not this one's.
  if (clk?.sync === undefined || origin !== undefined) return { at: ts, estimated: false };
  const pair = clk.pairs.find((each) => each.boot === boot);
  const from = pair?.from ?? (boot === clk.boot ? clk.from : 0);
  if (mono < from) return { at: ts, estimated: false };
  if (pair !== undefined)
    return mono >= pair.mono ? { at: ts, estimated: false } : corrected(ts, pair.ts - (pair.mono - mono));
  if (boot !== clk.boot) return { at: ts, estimated: true };
  return clk.sync
    ? { at: ts, estimated: false }
    : { at: corrected(ts, receivedAt - (clk.mono - mono)).at, estimated: true };
}

function corrected(ts: number, rightMs: number): EventTime {
  const at = Math.max(0, Math.round(rightMs));
  return Math.abs(at - ts) > DIFFERENT_MS ? { at, estimated: true } : { at: ts, estimated: false };
}
