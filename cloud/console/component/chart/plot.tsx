import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { colourReader } from './colour.ts';
import { SERIES_COLOURS, stacked, type TimeChartProps } from './series.ts';
import { useTheme } from './theme.ts';

/** Pixels. */
const HEIGHT = 200;
/** Share of its interval that a bar takes, and its most pixels. */
const BAR: [number, number] = [0.7, 64];
/** Pixels between two words of the axis at least. */
const WORD_SPACE = 64;

/** The canvas of a chart, drawn again when its width, its values or the theme change. */
export function Plot({ times, series, timeText, numberText }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the theme changes the colours that are read here
  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return undefined;
    const colour = colourReader(element);
    const columns = stacked(series);
    const bars = uPlot.paths.bars?.({ size: BAR, align: 0 });
    const axis = { stroke: colour('--dim'), font: `12px ${getComputedStyle(element).fontFamily}` };
    const line = { stroke: colour('--line'), width: 1 };
    // The tallest column is drawn first, and those below cover their part of it.
    const order = series.map((_, index) => index).reverse();
    const plot = new uPlot(
      {
        ...{ width, height: HEIGHT, legend: { show: false }, cursor: { show: false } },
        scales: {
          x: { time: false, range: [-0.5, times.length - 0.5] },
          y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] },
        },
        axes: [
          {
            ...{ ...axis, grid: { show: false }, ticks: { show: false }, space: WORD_SPACE, incrs: STEPS },
            values: (_, places) => places.map((at) => wordAt(times, at, timeText)),
          },
          {
            ...{ ...axis, grid: line, ticks: { show: false }, incrs: STEPS, size: 56 },
            values: (_, values) => values.map(numberText),
          },
        ],
        series: [
          {},
          ...order.map((index) => ({
            ...{
              fill: colour(`--series-${(index % SERIES_COLOURS) + 1}`),
              width: 0,
              points: { show: false },
            },
            ...(bars === undefined ? {} : { paths: bars }),
          })),
        ],
      },
      [times.map((_, index) => index), ...order.map((index) => [...(columns[index] ?? [])])],
      element,
    );
    return () => plot.destroy();
  }, [times, series, width, theme, timeText, numberText]);
  return <div ref={place} className="plot" />;
}

/** Whole steps of both axes: half a call and half a month are none. */
const STEPS = [1, 2, 3, 5, 6]
  .flatMap((step) => [step, step * 10, step * 100, step * 1_000, step * 10_000])
  .concat(1e5, 1e6)
  .toSorted((a, b) => a - b);

function wordAt(times: readonly number[], at: number, text: (ms: number) => string): string {
  const ms = times[at];
  return ms === undefined ? '' : text(ms);
}

/** Width of the element in pixels; 0: not laid out yet. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const seen = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    seen.observe(element);
    return () => seen.disconnect();
  }, [place]);
  return width;
}
