import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { Failure, Result } from '#shared/result.ts';

/** The functions that the site needs to show records of sessions. */
export interface RecordPage {
  /** May the bearer read records of this tenant here? */
  readonly admit: (
    authorization: string | undefined,
    domain: string,
  ) => Promise<Result<unknown, Failure<'unauthorized' | 'forbidden'>>>;
  readonly list: (
    parameters: URLSearchParams,
  ) => Promise<
    Result<{ readonly records: readonly SessionRecord[]; readonly nextToken?: string }, Failure<'invalid'>>
  >;
  /** Undefined: there is none of that id here. */
  readonly byId: (recordId: string) => Promise<SessionRecord | undefined>;
}

const HEADERS = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
const STATUS = { unauthorized: 401, forbidden: 403, invalid: 400 } as const;

/** `/record/{domain}` and `/record/{domain}/{recordId}`; undefined for other paths. */
export function recordPath(
  pathname: string,
): { readonly domain: string; readonly recordId: string | undefined } | undefined {
  const [, domain, recordId] = /^\/record\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  try {
    return domain === undefined ? undefined : { domain: decodeURIComponent(domain), recordId };
  } catch {
    return undefined;
  }
}

/** Records of this host, newest first, also without the control plane. */
export async function answerRecord(
  request: Request,
  { domain, recordId }: { readonly domain: string; readonly recordId: string | undefined },
  page: RecordPage,
): Promise<Response> {
  if (request.method === 'OPTIONS')
    return Response.json(
      {},
      {
        headers: {
          ...HEADERS,
          'access-control-allow-methods': 'GET, OPTIONS',
          'access-control-allow-headers': 'Authorization',
        },
      },
    );
  if (request.method !== 'GET')
    return refuse(405, 'methodNotAllowed', 'The request is refused: this path takes GET only. Send GET.', {
      allow: 'GET, OPTIONS',
    });
  const admitted = await page.admit(request.headers.get('authorization') ?? undefined, domain);
  if (!admitted.ok) return refuse(STATUS[admitted.error.code], admitted.error.code, admitted.error.reason);
  if (recordId === undefined) {
    const found = await page.list(new URL(request.url).searchParams);
    return found.ok
      ? Response.json({ success: true, ...found.value }, { headers: HEADERS })
      : refuse(STATUS.invalid, found.error.code, found.error.reason);
  }
  const record = await page.byId(recordId);
  return record === undefined
    ? refuse(
        404,
        'notFound',
        `The record ${recordId} is not on this host. Check the id, or ask the control plane.`,
      )
    : Response.json({ success: true, record }, { headers: HEADERS });
}

function refuse(
  status: number,
  code: string,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="carillon"' } : {};
  const body = { success: false, reason, error: { code } };
  return Response.json(body, { status, headers: { ...HEADERS, ...challenge, ...headers } });
}
