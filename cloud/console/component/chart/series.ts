/** One row of bars or one line of a chart. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** The series as they are drawn on top of each other: each holds the sum of itself and those before it. */
export function stacked(series: readonly Series[]): readonly (readonly number[])[] {
  let below: readonly number[] = [];
  return series.map(({ values }) => {
    below = values.map((value, index) => value + (below[index] ?? 0));
    return below;
  });
}

/** The largest series by name, and all others as one: a person does not tell more colours apart. */
export function largest(series: readonly Series[], most: number, othersName: string): readonly Series[] {
  const sum = ({ values }: Series): number => values.reduce((total, value) => total + value, 0);
  const sorted = series.toSorted((a, b) => sum(b) - sum(a) || (a.name < b.name ? -1 : 1));
  if (sorted.length <= most) return sorted;
  const others = sorted.slice(most - 1);
  const length = Math.max(...others.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) =>
    others.reduce((total, each) => total + (each.values[index] ?? 0), 0),
  );
  return [...sorted.slice(0, most - 1), { name: othersName, values }];
}

export interface TimeChartProps {
  /** For a person who hears the page: what is shown, with its sum. */
  readonly label: string;
  /** Begin of each interval, epoch ms. */
  readonly times: readonly number[];
  /** Drawn on top of each other, the first one at the bottom. */
  readonly series: readonly Series[];
  /** The word of an interval on the axis. */
  readonly timeText: (ms: number) => string;
  readonly numberText: (value: number) => string;
}

/** Colours of series; the style holds them as `--series-1` and so on. */
export const SERIES_COLOURS = 6;
