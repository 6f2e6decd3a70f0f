import { noAnswerReason } from '../http/index.ts';
import { type Failure, fail, ok, type Result } from '../result.ts';
import { OPERATIONS, type Operations } from './operation.codes.ts';

/** As much of `fetch` as is needed; the caller brings it, with its own certificates, timeouts and proxies. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string | Uint8Array<ArrayBuffer>;
  },
) => Promise<{
  readonly status: number;
  readonly text: () => Promise<string>;
  /** For `file` only. */
  readonly arrayBuffer?: () => Promise<ArrayBuffer>;
}>;

export interface ClientPort {
  /** `{base_url}`, without a slash at its end. */
  readonly baseUrl: string;
  /** JWT of a registered key, or an API token; asked for with every call, so that a short-lived one can be renewed. */
  readonly token: () => string | Promise<string>;
  readonly fetch: Fetch;
}

export type OperationName = keyof Operations;

/** Parameters of path and query by name, and the body where there is one. */
export type Input<Name extends OperationName> = Operations[Name]['params'] &
  (Operations[Name]['body'] extends undefined ? unknown : { readonly body: Operations[Name]['body'] }) & {
    readonly headers?: Record<string, string>;
  };

/** A failure of the API; `unreachable` when no answer came, `notUnderstood` when it was no answer of this API. */
export type CallFailure = Failure & { readonly status?: number };

export interface Client {
  readonly call: <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
  ) => Promise<Result<Operations[Name]['answer'], CallFailure>>;
  /** As `call`, for an operation that answers with a file. */
  readonly file: <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
  ) => Promise<Result<Uint8Array<ArrayBuffer>, CallFailure>>;
}

/** One function for every operation of the OpenAPI document: `client.call('getProvisioningDevice', { domain })`. */
export function createClient({ baseUrl, token, fetch }: ClientPort): Client {
  async function asking(name: OperationName, input: unknown) {
    const { method, path, query, type } = OPERATIONS[name] as Row;
    const { body, headers = {}, ...params } = input as Inputs;
    return await fetch(`${baseUrl}${filled(path, params)}${asked(query, params)}`, {
      method,
      headers: {
        Authorization: `Bearer ${await token()}`,
        ...(body === undefined ? {} : { 'Content-Type': typeOf(type, body) }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isWritten(body) ? body : JSON.stringify(body) }),
    }).catch(noAnswerReason);
  }
  const silent = (cause: string) => fail('unreachable', `${baseUrl} does not answer: ${cause}`);
  /** The rest of an answer that has begun: its connection may break as well. */
  const whole = <T>(reading: Promise<T>): Promise<Result<T, CallFailure>> =>
    reading.then(ok, (cause: unknown) => silent(noAnswerReason(cause)));
  return {
    call: async (name, input) => {
      const answer = await asking(name, input);
      if (typeof answer === 'string') return silent(answer);
      const text = await whole(answer.text());
      return text.ok ? read(answer.status, text.value) : text;
    },
    file: async (name, input) => {
      const answer = await asking(name, input);
      if (typeof answer === 'string') return silent(answer);
      if (answer.status === 200 && answer.arrayBuffer !== undefined) {
        const bytes = await whole(answer.arrayBuffer());
        return bytes.ok ? ok(new Uint8Array(bytes.value)) : bytes;
      }
      const text = await whole(answer.text());
      if (!text.ok) return text;
      const failed = read<never>(answer.status, text.value);
      return failed.ok ? fail('notUnderstood', 'The answer is no file.') : failed;
    },
  };
}

/** A patch that is an object is merged (RFC 7396), a list is operations (RFC 6902). */
const typeOf = (type = 'application/json', body: unknown): string =>
  type === 'application/json-patch+json' && !Array.isArray(body) ? 'application/merge-patch+json' : type;

/** A text or bytes travel as they are. */
const isWritten = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly type?: string;
}

interface Inputs {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly [name: string]: unknown;
}

const filled = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));

function asked(query: readonly string[], params: Readonly<Record<string, unknown>>): string {
  const words = query
    .filter((name) => params[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(String(params[name]))}`);
  return words.length === 0 ? '' : `?${words.join('&')}`;
}

function read<T>(status: number, text: string): Result<T, CallFailure> {
  let body: { success?: boolean; reason?: string; error?: { code?: string } } & Record<string, unknown>;
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return {
      ok: false,
      error: { code: 'notUnderstood', reason: `The answer ${status} is no JSON.`, status },
    };
  }
  if (status === 200) return ok(body as T);
  const { reason = `The answer was ${status}.`, error } = body;
  return { ok: false, error: { ...error, code: error?.code ?? 'notUnderstood', reason, status } };
}
