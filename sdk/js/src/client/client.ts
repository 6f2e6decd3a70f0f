import { OPERATIONS, type Operations } from '../contract/api.codes.ts';
import { mayRepeat, pauseMs } from './repeat.ts';

export interface ClientOptions {
  /** `{base_url}` of the API. */
  readonly baseUrl: string;
  /** JWT of a registered key, or an API token; a function is asked with every call, so that it can renew one. */
  readonly token: string | (() => string | Promise<string>);
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Attempts after the first one, for failures that pass; default 4. */
  readonly retries?: number;
  /** Longest wait for the answer of one attempt, ms; default 15 s. */
  readonly timeoutMs?: number;
  /** Waits between attempts, ms; a program that has its own clock brings its own. */
  readonly wait?: (ms: number) => Promise<void>;
}

export type OperationName = keyof Operations;

/** Parameters of path and query by name, and the body where there is one. */
export type Input<Name extends OperationName> = Operations[Name]['params'] &
  (Operations[Name]['body'] extends undefined ? unknown : { readonly body: Operations[Name]['body'] }) & {
    readonly headers?: Readonly<Record<string, string>>;
    /** Key of a POST, the same for every repeat; default: a new one for each call. */
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

/** A call that failed: `unreachable` without an answer, `notUnderstood` when it is no answer of this API. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: string;
  /** Status of HTTP; absent when no answer came. */
  readonly status: number | undefined;
  readonly attempts: number;

  constructor(code: string, message: string, status: number | undefined, attempts: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.attempts = attempts;
  }
}

export interface Client {
  /** Rejects with an `ApiFailure`. */
  readonly call: <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
  ) => Promise<Operations[Name]['answer']>;
  /** Every page of a list, by its `nextToken`. */
  readonly pages: <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
  ) => AsyncGenerator<Operations[Name]['answer'], void, void>;
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly type?: string;
}
interface Inputs {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly [name: string]: unknown;
}

const RETRIES = 4;
const TIMEOUT_MS = 15_000;

/** One function for every operation of the OpenAPI document: `client.call('getProvisioningDevice', { domain })`. */
export function createClient(options: ClientOptions): Client {
  const { token, fetch = globalThis.fetch.bind(globalThis), retries = RETRIES } = options;
  const { timeoutMs = TIMEOUT_MS, wait = waited } = options;
  const base = options.baseUrl.replace(/\/+$/, '');

  async function call(name: OperationName, input: Inputs): Promise<unknown> {
    const { method, path, query, type } = OPERATIONS[name] as Row;
    const { body, headers = {}, idempotencyKey, signal, ...params } = input;
    const url = `${base}${filled(path, params)}${asked(query, params)}`;
    const key = method === 'POST' ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {};
    for (let attempt = 1; ; attempt++) {
      const bearer = typeof token === 'string' ? token : await token();
      const within = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, {
        method,
        headers: {
          Authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { 'Content-Type': typeOf(type, body) }),
          ...key,
          ...headers,
        },
        signal: signal === undefined ? within : AbortSignal.any([signal, within]),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }).then(
        async (response) => ({ response, text: await response.text() }),
        (cause: unknown) => ({ cause }),
      );
      signal?.throwIfAborted();
      const status = 'response' in answer ? answer.response.status : undefined;
      if (attempt <= retries && mayRepeat(method, status)) {
        const hint = 'response' in answer ? answer.response.headers.get('retry-after') : null;
        await wait(pauseMs(attempt, hint, Math.random()));
        continue;
      }
      if ('response' in answer) return read(answer.response.status, answer.text, attempt);
      throw new ApiFailure(
        'unreachable',
        `${base} does not answer: ${causeOf(answer.cause)}. Look at baseUrl, the network and the certificate.`,
        undefined,
        attempt,
      );
    }
  }

  return {
    call: (name, input) => call(name, input as Inputs) as Promise<never>,
    async *pages(name, input) {
      let nextToken: unknown;
      do {
        const page = (await call(name, {
          ...(input as Inputs),
          ...(nextToken === undefined ? {} : { nextToken }),
        })) as { readonly nextToken?: unknown };
        yield page as never;
        nextToken = page.nextToken ?? undefined;
      } while (nextToken !== undefined);
    },
  };
}

/** A patch that is an object is merged (RFC 7396), a list is operations (RFC 6902). */
const typeOf = (type = 'application/json', body: unknown): string =>
  type === 'application/json-patch+json' && !Array.isArray(body) ? 'application/merge-patch+json' : type;

const waited = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const causeOf = (cause: unknown): string => {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
  return inner?.message ?? message ?? String(cause);
};

const filled = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined)
      throw new TypeError(`The path ${path} needs ${name}: add it to the input.`);
    return encodeURIComponent(String(params[name]));
  });

function asked(query: readonly string[], params: Readonly<Record<string, unknown>>): string {
  const words = query
    .filter((name) => params[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(String(params[name]))}`);
  return words.length === 0 ? '' : `?${words.join('&')}`;
}

function read(status: number, text: string, attempts: number): unknown {
  let body: { reason?: string; error?: { code?: string } };
  try {
    body = JSON.parse(text);
  } catch {
    const advice = 'Look whether baseUrl is the address of the API and not of a proxy.';
    throw new ApiFailure('notUnderstood', `The answer ${status} is no JSON. ${advice}`, status, attempts);
  }
  if (status === 200) return body;
  const { reason = `The answer was ${status}.`, error } = body;
  throw new ApiFailure(error?.code ?? 'notUnderstood', reason, status, attempts);
}
