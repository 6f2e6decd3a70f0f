import { noAnswerReason } from '#shared/http/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** One callback on its way to an application of a developer. */
export interface ForwardedRequest {
  /** Path and query as the platform posted them, `/newAlarmbridgeEvent`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body byte for byte: its hash is signed. */
  readonly body: string;
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the request to the end of the answer, ms. */
  readonly tookMs: number;
}

/** Headers of one connection (RFC 9110 7.6.1), and those that each request has of its own. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'accept-encoding',
]);
/** The headers of an answer that the platform reads. */
const ANSWERED = ['content-type', 'retry-after'];

/**
 * Posts a callback to an application on this machine. The demo and `carillon listen` both use it. A failure is one sentence that
 * says what to mend.
 */
export async function forward(
  target: URL,
  request: ForwardedRequest,
  timeoutMs: number,
): Promise<Result<ForwardedAnswer, Failure<'unreached' | 'late'>>> {
  const beganMs = performance.now();
  try {
    const answer = await fetch(forwardedUrl(target, request.path), {
      method: 'POST',
      headers: passedHeaders(request.headers),
      body: request.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await answer.text();
    const headers = Object.fromEntries(
      ANSWERED.flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );
    return ok({ status: answer.status, headers, body, tookMs: performance.now() - beganMs });
  } catch (cause) {
    if ((cause as Error).name === 'TimeoutError')
      return fail('late', `${target.origin} did not answer within ${timeoutMs / 1_000} s; answer sooner`);
    return fail('unreached', `${target.origin} cannot be reached: ${noAnswerReason(cause)}`);
  }
}

/** The address of the application plus the path of the callback. */
export function forwardedUrl(target: URL, path: string): string {
  const [name = '', query] = path.split('?');
  const url = new URL(target);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name.replace(/^\/+/, '')}`;
  if (query !== undefined) url.search = query;
  return url.href;
}

const passedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase())));
