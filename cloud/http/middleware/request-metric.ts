import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ApiEnv } from '../routing/api-env.ts';
import type { AppPort } from '../routing/port.ts';

/** Upper bounds in seconds; the last bucket of the histogram is +Inf. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

interface Series {
  readonly labels: string;
  readonly counts: number[];
  sumS: number;
  total: number;
}

export interface RequestMetric {
  readonly middleware: MiddlewareHandler<ApiEnv>;
  /** A request that was answered without the router; `startMs` as `nowMs` gives it. */
  readonly answered: (method: string, route: string, status: number, startMs: number) => void;
  /** Prometheus text format. */
  readonly text: () => string;
}

const NAME = 'carillon_http_request_seconds';

/** Rate, errors and duration of requests, by method, route pattern and status: nothing that names a person or tenant. */
export function createRequestMetric(
  nowMs: () => number,
  onRefused: AppPort['onRefused'] = () => undefined,
): RequestMetric {
  const all = new Map<string, Series>();

  function seriesOf(labels: string): Series {
    const known = all.get(labels);
    if (known !== undefined) return known;
    const made = { labels, counts: BOUNDS_S.map(() => 0), sumS: 0, total: 0 };
    all.set(labels, made);
    return made;
  }

  const answered: RequestMetric['answered'] = (method, route, status, startMs) => {
    const seconds = (nowMs() - startMs) / 1000;
    const series = seriesOf(`method="${method}",route="${route}",status="${status}"`);
    series.total += 1;
    series.sumS += seconds;
    const index = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1;
  };

  return {
    middleware: async (c, next) => {
      const startMs = nowMs();
      await next();
      answered(c.req.method, routePath(c, -1), c.res.status, startMs);
      const refused = c.get('refused');
      if (refused !== undefined) onRefused(refused, c.res.status);
    },

    answered,

    text: () => {
      const lines = [`# HELP ${NAME} Duration of HTTP requests.`, `# TYPE ${NAME} histogram`];
      for (const { labels, counts, sumS, total } of all.values()) {
        let cumulative = 0;
        for (const [index, bound] of BOUNDS_S.entries()) {
          cumulative += counts[index] ?? 0;
          lines.push(`${NAME}_bucket{${labels},le="${bound}"} ${cumulative}`);
        }
        lines.push(`${NAME}_bucket{${labels},le="+Inf"} ${total}`);
        lines.push(`${NAME}_sum{${labels}} ${sumS}`, `${NAME}_count{${labels}} ${total}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}
