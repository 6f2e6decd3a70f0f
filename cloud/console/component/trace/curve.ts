import type { Trace } from './lane.ts';

export type MediaCurve = Trace['media'][number];
type Point = MediaCurve['points'][number];

/** A value that is drawn over time, with its unit and the least value at the top of its scale. */
export const MEASURES = [
  { name: 'levelDbm0', unit: 'dBm0', low: -70, high: 0 },
  { name: 'sentLevelDbm0', unit: 'dBm0', low: -70, high: 0 },
  { name: 'jitterMs', unit: 'ms', low: 0, high: 20 },
  { name: 'lost', unit: '', low: 0, high: 5 },
  { name: 'latenessMs', unit: 'ms', low: 0, high: 100 },
  { name: 'concealedMs', unit: 'ms', low: 0, high: 100 },
] as const;
export type Measure = (typeof MEASURES)[number];

export interface Curve {
  /** Path of an SVG in a box of `width` × `height`. Windows are steps; a value that was not measured leaves a gap. */
  readonly path: string;
  readonly top: number;
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** The range of time of all legs, epoch ms. */
export function rangeOf(curves: readonly MediaCurve[]): readonly [number, number] {
  const points = curves.flatMap((curve) => curve.points);
  if (points.length === 0) return [0, 1];
  const begin = Math.min(...points.map(({ at }) => at));
  return [begin, Math.max(begin + 1, ...points.map(({ at, forMs }) => at + forMs))];
}

/** One measure of one leg as steps. The scale grows where a value exceeds it. */
export function curveOf(
  points: readonly Point[],
  { name, low, high }: Measure,
  [begin, end]: readonly [number, number],
  { width, height }: { readonly width: number; readonly height: number },
): Curve {
  const values = points.map((point) => point[name]).filter((value) => value !== null);
  const top = Math.max(high, ...values);
  const x = (at: number): string => round(((at - begin) / (end - begin)) * width);
  const y = (value: number): string => {
    const share = (Math.max(low, value) - low) / (top - low);
    return round(height - share * height);
  };
  let isOpen = false;
  const parts = points.flatMap((point) => {
    const value = point[name];
    if (value === null) {
      isOpen = false;
      return [];
    }
    const begun = `${isOpen ? 'L' : 'M'}${x(point.at)} ${y(value)}`;
    isOpen = true;
    return [begun, `L${x(point.at + point.forMs)} ${y(value)}`];
  });
  return {
    ...{ path: parts.join(''), top },
    least: values.length === 0 ? undefined : Math.min(...values),
    most: values.length === 0 ? undefined : Math.max(...values),
  };
}

const round = (value: number): string => String(Math.round(value * 10) / 10);
