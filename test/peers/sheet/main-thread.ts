import type { Page } from 'puppeteer-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Begin and length in microseconds; `tdur`: of the processor. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Work of the main thread of a page while something happened, ms. */
export interface Work {
  readonly frames: number;
  /** Its work between the begin of a frame and that of the next one. */
  readonly p95Ms: number;
  readonly longestMs: number;
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** Begin of a frame on the main thread. */
const isFrame = ({ name, ph }: TraceEvent): boolean => name === 'AnimationFrame' && ph === 'b';

/** Traces the page while `act` runs. */
export async function traced(page: Page, act: () => Promise<unknown>): Promise<Work> {
  await page.tracing.start({ categories: CATEGORIES });
  await act();
  const trace = await page.tracing.stop();
  return workOf(JSON.parse(Buffer.from(trace ?? []).toString()).traceEvents as readonly TraceEvent[]);
}

/** The renderer that drew the most frames is the page. Time of the processor counts where Chromium has it: what others do on it is no work. */
function workOf(events: readonly TraceEvent[]): Work {
  const drawn = Map.groupBy(events.filter(isFrame), ({ pid }) => pid);
  const [pid, frames = []] = [...drawn].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const main = events.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  );
  const tasks = events
    .filter((event) => event.pid === pid && event.tid === main?.tid && event.name === 'RunTask')
    .map(({ ts, dur = 0, tdur = dur }) => ({ ts, ms: tdur / 1_000 }));
  if (frames.length < 2 || tasks.length === 0) throw new Error('The trace shows no frame of the page.');
  const begins = frames.map(({ ts }) => ts).toSorted((a, b) => a - b);
  const perFrame = begins
    .slice(0, -1)
    .map((begin, at) =>
      tasks.reduce((sum, { ts, ms }) => sum + (ts >= begin && ts < (begins[at + 1] ?? 0) ? ms : 0), 0),
    );
  return {
    frames: perFrame.length,
    p95Ms: perFrame.toSorted((a, b) => a - b)[Math.floor(perFrame.length * 0.95)] ?? 0,
    longestMs: Math.max(...tasks.map(({ ms }) => ms)),
  };
}
