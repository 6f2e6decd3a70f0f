import {
  operationAt,
  READING_OPERATIONS,
  type RuntimeOperation,
  SESSIONS,
} from '#shared/contract/runtime/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { AnswerOperation, OperationAnswer } from '../../operation/index.ts';

const MIB = 1024 * 1024;
const HEADERS = {
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
};

const headersOf = (operation: RuntimeOperation) =>
  READING_OPERATIONS.includes(operation)
    ? { ...HEADERS, 'access-control-allow-methods': 'GET, POST, OPTIONS' }
    : HEADERS;

/** The operation and tenant a path names; undefined: it is no runtime operation. */
export function runtimePath(pathname: string):
  | {
      readonly operation: RuntimeOperation;
      readonly domain: string;
      /** The question of the path to an operation that reads. */
      readonly asked?: Readonly<Record<string, string>>;
    }
  | undefined {
  // Media operations also without their base, as the media document spells them (decisions 1).
  const [, base = 'mediaservice', domain, word = ''] =
    /^(?:\/(\w+))?\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const operation = operationAt(base, word);
  const name = domain === undefined ? undefined : decoded(domain);
  if (operation === undefined || name === undefined) return sessionPath(pathname);
  return { operation, domain: name };
}

/** One running session of a media service. */
function sessionPath(pathname: string): ReturnType<typeof runtimePath> {
  const parts = /^\/mediaservice\/([^/]+)\/session\/([^/]+)$/.exec(pathname)?.slice(1).map(decoded) ?? [];
  const [domain, sessionId] = parts;
  if (domain === undefined || sessionId === undefined) return undefined;
  return { operation: SESSIONS, domain, asked: { sessionId } };
}

/** Operations of a host at its site (runtime API document 4, media document 4): POST, and GET of what only reads. */
export async function answerRuntime(
  request: Request,
  { asked, ...named }: NonNullable<ReturnType<typeof runtimePath>>,
  answer: AnswerOperation,
): Promise<Response> {
  if (request.method === 'OPTIONS') return Response.json({}, { headers: headersOf(named.operation) });
  const { pathname, searchParams } = new URL(request.url);
  if (READING_OPERATIONS.includes(named.operation) && request.method === 'GET') {
    const authorization = request.headers.get('authorization') ?? undefined;
    const said = { ...Object.fromEntries(searchParams), ...asked };
    return answerOf(await answer({ ...named, authorization, body: () => ok(said) }));
  }
  if (request.method !== 'POST')
    return refuse(
      405,
      'methodNotAllowed',
      `The path ${pathname} does not take this method. Send POST or OPTIONS.`,
      { allow: 'POST, OPTIONS' },
    );
  if (request.headers.has('content-encoding'))
    return refuse(
      415,
      'unsupportedMediaType',
      'The body cannot be read: Content-Encoding is not supported. Send the body without it.',
    );
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return refuse(
      415,
      'unsupportedMediaType',
      'The body cannot be read: its media type is not supported. Send it as application/json.',
    );
  const text = await bounded(request);
  // The unread rest of the body is still under way: the connection cannot carry another request.
  if (text === undefined)
    return refuse(
      413,
      'tooLarge',
      'The body is refused: it is larger than 1 MiB. Send less in one request.',
      { connection: 'close' },
    );
  return answerOf(
    await answer({
      ...named,
      authorization: request.headers.get('authorization') ?? undefined,
      idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
      body: () => parsed(text),
    }),
  );
}

function answerOf({ status, body }: OperationAnswer): Response {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="carillon"' } : {};
  return Response.json(body, { status, headers: { ...HEADERS, ...challenge } });
}

function refuse(
  status: number,
  code: string,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { success: false, reason, error: { code } };
  return Response.json(body, { status, headers: { ...HEADERS, ...headers } });
}

/** The body, as long as it is no longer than 1 MiB: a stranger may send anything. */
async function bounded(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MIB) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MIB) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string) {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    return fail('malformed', 'The body cannot be read: it is not valid JSON. Correct it and send it again.');
  }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
