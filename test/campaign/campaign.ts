import type { Verdict } from '#test/support/site-history.ts';

export interface CampaignSetting {
  /** Length of the load; undefined = the size that fits a change. */
  readonly minutes: number | undefined;
  /** A campaign repeats its smallest run so often for its figures; undefined = as it is. */
  readonly times?: number | undefined;
  /** Without the runs of programs that had something taken away. */
  readonly withoutMutants?: boolean;
  /** Where a campaign chooses, it chooses by this number. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** One column of the table: a run under one condition. */
export interface Run extends Verdict {
  readonly name: string;
}

/**
 * For a run of a program that had something taken away: it has to be seen to break in just this figure. One that stays
 * green means that the campaign sees nothing.
 */
export function mustBreak(run: Run, figure: string): Run {
  const blind = (run.figures[figure] ?? 0) === 0;
  return { ...run, violations: blind ? [`"${figure}" stayed 0: this campaign sees nothing`] : [] };
}

export interface Campaign {
  readonly summary: string;
  /** Its changes to the machine: it runs in a namespace of its own, and all of that ends with it. */
  readonly changes?: 'network' | 'mounts';
  readonly run: (setting: CampaignSetting) => Promise<readonly Run[]>;
}

/** Pseudo-random numbers in [0, 1) by xorshift32 (Marsaglia 2003): the same seed gives the same faults. */
export function seeded(seed: number): () => number {
  // Multiplied first: neighbouring seeds would otherwise begin alike.
  let state = Math.imul(seed + 1, 0x9e37_79b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

/** The machine lacks something a campaign is made of: said in a sentence, and never passed over. */
export class NotPossible extends Error {}
