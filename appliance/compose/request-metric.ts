import { type Counter, type Family, histogram } from '#shared/metric/index.ts';

const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

type Pages = (request: Request, source: string) => Response | Promise<Response>;

/** Requests over HTTPS by method, the first part of their path and status, and why some were refused. */
export function requestMetric(
  monoMs: () => number,
  { refused, patterns }: { readonly refused: Counter; readonly patterns: Counter },
): { readonly family: Family; readonly pages: (answer: Pages) => Pages } {
  const seconds = histogram('carillon_http_request_seconds', 'Duration of HTTP requests.', BOUNDS_S, [
    'method',
    'route',
    'status',
  ]);

  /** The answer is read only where it says no, which is short. */
  async function note(answer: Response): Promise<void> {
    const body: unknown = await answer.clone().json();
    const { error } = body as { readonly error?: { readonly code?: string } & Positioned };
    if (answer.status === 401 || answer.status === 403) refused.add([error?.code ?? 'http']);
    if (isPattern(error)) patterns.add();
  }

  return {
    family: seconds,
    pages: (answer) => async (request, source) => {
      const beganMs = monoMs();
      const response = await answer(request, source);
      const known = METHODS.has(request.method) ? request.method : 'other';
      const labels = [known, routeOf(request, response.status), String(response.status)];
      seconds.observe((monoMs() - beganMs) / 1_000, labels);
      const json = response.headers.get('content-type')?.startsWith('application/json') === true;
      // An answer of another shape says nothing that is counted.
      if (json && REFUSALS.has(response.status)) await note(response).catch(() => undefined);
      return response;
    },
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** The first word of a path; what is not there has no name of ours. */
const routeOf = ({ url }: Request, status: number): string =>
  status === 404 || status === 405 ? 'none' : `/${new URL(url).pathname.split('/')[1] ?? ''}`;

interface Positioned {
  readonly position?: number;
  readonly issues?: readonly { readonly position?: number }[];
}

/** Only of patterns it is said at which sign they are wrong. */
const isPattern = (error: Positioned | undefined): boolean =>
  error?.position !== undefined || error?.issues?.some((issue) => issue.position !== undefined) === true;
