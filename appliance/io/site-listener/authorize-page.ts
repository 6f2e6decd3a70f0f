import { type AuthorizeDevice, authorizeRequestSchema } from '#shared/authorize/index.ts';

const MOST_BYTES = 65_536;
const HEADERS = {
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
};

/** `POST /authorize` at the site: signs its phones in with and without WAN. Answers as the cloud does. `source`: address of the client. */
export async function answerAuthorize(
  { request, source }: { readonly request: Request; readonly source: string },
  authorize: AuthorizeDevice,
  nowMs: number,
): Promise<Response> {
  if (request.method === 'OPTIONS') return Response.json({}, { headers: HEADERS });
  if (request.method !== 'POST')
    return refuse(
      405,
      'methodNotAllowed',
      'The request is refused: it is not a POST. Send POST with domain, deviceId and password.',
      {
        allow: 'POST',
      },
    );
  if (!request.headers.get('content-type')?.toLowerCase().startsWith('application/json'))
    return refuse(
      415,
      'unsupportedMediaType',
      'The body cannot be read: its media type is not supported. Send it as application/json.',
    );
  const text = await bounded(request);
  if (text === undefined)
    return refuse(
      413,
      'tooLarge',
      `The body is refused: it is longer than ${MOST_BYTES} bytes. Send domain, deviceId and password only.`,
    );
  const read = authorizeRequestSchema.safeParse(jsonOf(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const path = ['', ...(issue?.path ?? [])].join('/');
    return refuse(
      400,
      'invalid',
      `${path || 'the body'}: ${issue?.message ?? 'must be a JSON object'}`,
      {},
      path,
    );
  }
  const signed = await authorize(read.data, nowMs, source);
  if (signed.ok) return Response.json({ success: true, ...signed.value }, { headers: HEADERS });
  const { code, reason } = signed.error;
  if (code !== 'tooManyRequests') return refuse(401, code, reason, { 'www-authenticate': 'Bearer' });
  const retryAfterS = 'retryAfterS' in signed.error ? Number(signed.error.retryAfterS) : 60;
  return refuse(429, code, reason, { 'retry-after': String(retryAfterS) });
}

function refuse(
  status: number,
  code: string,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
  path?: string,
): Response {
  const error = path === undefined ? { code } : { code, path };
  return Response.json({ success: false, reason, error }, { status, headers: { ...HEADERS, ...headers } });
}

/** The body, as long as it is short: a stranger may send anything. */
async function bounded(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
