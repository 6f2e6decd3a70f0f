import { sleep } from '../support/bench.ts';
import { median } from '../support/figure.ts';
import { inPlace, type Place } from '../support/place.ts';

/** Folders of two checkouts. */
export interface Trees {
  readonly before: string;
  readonly after: string;
}
type Side = keyof Trees;

/** Figures of one side in one pair, by what they say; less is better. */
export type Figures = Readonly<Record<string, number>>;

/** A load for both sides, at the same time or one after the other. */
export interface PairLoad {
  readonly title: string;
  /** Starts both in this order and measures them; all that it starts is kept in `place`. */
  readonly measure: (
    place: Place,
    trees: Trees,
    order: readonly Side[],
    time: PairTime,
  ) => Promise<Readonly<Record<Side, Figures>>>;
}

export interface PairTime {
  readonly warmUpMs: number;
  readonly windowMs: number;
}

export interface Compared {
  readonly what: string;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** After to before: geometric mean of the pairs, and the bound that it stays below with 95 %. */
  readonly ratio: number;
  readonly upper: number;
  readonly pairs: number;
}

const PAIRS = 12;
const QUICK_PAIRS = 2;
const REST_MS = 500;

/** Pairs of new processes: of two processes of the same program one may be dearer by a tenth for as long as it lives. */
export async function compared(
  load: PairLoad,
  trees: Trees,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<readonly Compared[]> {
  const time = isQuick ? { warmUpMs: 2_000, windowMs: 2_000 } : { warmUpMs: 12_000, windowMs: 8_000 };
  const seen: Readonly<Record<Side, Figures>>[] = [];
  for (let pair = 0; pair < (isQuick ? QUICK_PAIRS : PAIRS); pair++) {
    const order: readonly Side[] = pair % 2 === 0 ? ['before', 'after'] : ['after', 'before'];
    const figures = await inPlace((place) => load.measure(place, trees, order, time));
    seen.push(figures);
    const each = Object.keys(figures.after).map(
      (what) => `${what} ${figures.before[what]?.toFixed(1)} → ${figures.after[what]?.toFixed(1)}`,
    );
    say(`pair ${pair + 1}: ${each.join(', ')}`);
    await sleep(REST_MS);
  }
  return Object.keys(seen[0]?.after ?? {}).map((what) => {
    const before = seen.map((each) => each.before[what] ?? Number.NaN);
    const after = seen.map((each) => each.after[what] ?? Number.NaN);
    const ratios = after.map((value, at) => value / (before[at] ?? Number.NaN));
    return {
      ...{ what, before: median(before), after: median(after), pairs: ratios.length },
      ...boundOf(ratios),
    };
  });
}

/** Student's t, one side, 95 %, by degrees of freedom from 1. */
const T95 = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761];

/** Geometric mean of ratios, and the value that the true one stays below with 95 %; infinite of fewer than two. */
export function boundOf(ratios: readonly number[]): { readonly ratio: number; readonly upper: number } {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const t = T95[Math.min(logs.length - 1, T95.length) - 1];
  if (t === undefined) return { ratio: Math.exp(mean), upper: Number.POSITIVE_INFINITY };
  const variance = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (logs.length - 1);
  return { ratio: Math.exp(mean), upper: Math.exp(mean + t * Math.sqrt(variance / logs.length)) };
}
