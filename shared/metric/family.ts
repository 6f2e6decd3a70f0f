/** Labels of one reading, by name, in the order in which they are shown. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a gauge. */
export type Reading = readonly [labels: Labels, value: number];

/** One line: what follows the name of the family, its labels as text, and the value. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly labels: string;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: () => readonly Sample[];
}

/** `values`: one for each label of the family, in their order. */
export interface Counter extends Family {
  readonly add: (values?: readonly string[], by?: number) => void;
}

/** `values`: as of a counter. */
export interface Histogram extends Family {
  readonly observe: (value: number, values?: readonly string[]) => void;
}

/** Chosen: more series of one family than this are no words of ours. */
const MOST_SERIES = 200;

/** How often since the start; `labels`: their names. Without labels it is shown from the start, with 0. */
export function counter(name: string, help: string, labels: readonly string[] = []): Counter {
  const all = new Map<string, number>(labels.length === 0 ? [['', 0]] : []);
  return {
    name,
    kind: 'counter',
    help,
    add: (values = [], by = 1) => {
      const key = keyOf(all, labels, values);
      all.set(key, (all.get(key) ?? 0) + by);
    },
    samples: () => [...all].map(([key, value]) => ({ suffix: '', labels: key, value })),
  };
}

interface Series {
  readonly counts: number[];
  sum: number;
  total: number;
}

/** `bounds`: upper edges, rising; the last bucket, `+Inf`, is added. `labels`: as of a counter. */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  labels: readonly string[] = [],
): Histogram {
  const fresh = (): Series => ({ counts: bounds.map(() => 0), sum: 0, total: 0 });
  const all = new Map<string, Series>(labels.length === 0 ? [['', fresh()]] : []);
  return {
    name,
    kind: 'histogram',
    help,
    observe: (value, values = []) => {
      const key = keyOf(all, labels, values);
      const series = all.get(key) ?? fresh();
      all.set(key, series);
      series.total += 1;
      series.sum += value;
      const index = bounds.findIndex((bound) => value <= bound);
      if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1;
    },
    samples: () => [...all].flatMap(([key, series]) => bucketed(key, bounds, series)),
  };
}

/** The present value: asked at each look. Undefined = unknown; then only the head of the family is shown. */
export function gauge(
  name: string,
  help: string,
  read: () => number | undefined | Iterable<Reading>,
): Family {
  return {
    name,
    kind: 'gauge',
    help,
    samples: () => {
      const readings = read() ?? [];
      if (typeof readings === 'number') return [{ suffix: '', labels: '', value: readings }];
      return [...readings].map(([labels, value]) => ({
        suffix: '',
        labels: labelText(Object.entries(labels)),
        value,
      }));
    },
  };
}

/** A code from another program, as a label: a word of at most 40 signs. */
export const labelWord = (code: string): string => code.replaceAll(/\W/g, '_').slice(0, 40);

function bucketed(labels: string, bounds: readonly number[], { counts, sum, total }: Series): Sample[] {
  const before = labels === '' ? '' : `${labels},`;
  let upto = 0;
  const buckets = bounds.map((bound, index): Sample => {
    upto += counts[index] ?? 0;
    return { suffix: '_bucket', labels: `${before}le="${bound}"`, value: upto };
  });
  return [
    ...buckets,
    { suffix: '_bucket', labels: `${before}le="+Inf"`, value: total },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: total },
  ];
}

/** Where the series of these values stands; what would be one too many is counted with the others. */
function keyOf(
  all: ReadonlyMap<string, unknown>,
  names: readonly string[],
  values: readonly string[],
): string {
  const key = labelText(names.map((name, at) => [name, values[at] ?? '']));
  if (all.size < MOST_SERIES || all.has(key)) return key;
  return labelText(names.map((name) => [name, 'other']));
}

const labelText = (labels: readonly (readonly [name: string, value: string])[]): string =>
  labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(',');

/** Backslash, quote and line feed of a value. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
