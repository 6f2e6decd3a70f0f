/** One line of the table: a figure of ours, the peer's, and what quality asks. */
export interface Figure {
  /** Its number, with a letter where a second peer is asked (`3f`). */
  readonly row: number | string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  /** The peer in the same run; absent where the figure stands alone. */
  readonly peer?: number;
  /** Figure that is compared with gate and ambition: the ratio where there is a peer, else `ours`. */
  readonly judged: number;
  readonly gate: number;
  readonly ambition: number;
  /** `least`: more is better. */
  readonly wanted: 'most' | 'least';
  /** Smallest and largest of what is judged among the repetitions. */
  readonly spread?: readonly [number, number];
}

export interface BenchResult {
  readonly figures: readonly Figure[];
  /** Load, warm-up, repetitions, what the generator can do: everything needed to judge the figures. */
  readonly notes: readonly string[];
}

export interface BenchContext {
  /** True: shortened, to try whether it works; the figures do not count. */
  readonly quick: boolean;
  readonly say: (text: string) => void;
  /** The preparation is over: other work on the machine until now changes no figure, and voids none. */
  readonly onPrepared: () => void;
}

export interface Bench {
  readonly row: number;
  readonly name: string;
  /** Its figures follow from its seeds alone: a busy machine changes none of them, and voids none. */
  readonly isSeeded?: boolean;
  readonly run: (context: BenchContext) => Promise<BenchResult>;
}

export type Verdict = 'ambition' | 'passed' | 'MISSED';

export function verdictOf({ judged, gate, ambition, wanted }: Figure): Verdict {
  const reaches = (bound: number) => (wanted === 'most' ? judged <= bound : judged >= bound);
  if (reaches(ambition)) return 'ambition';
  return reaches(gate) ? 'passed' : 'MISSED';
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
