import type { SessionCapture, SessionRecord, SessionTrace } from '#shared/contract/session-record/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import { slicedJson } from '../slice/index.ts';

/** Parts of a session beside its record: they have whole numbers, bodies and texts. */
const RECORD_PARTS = ['trace', 'capture.json', 'capture.pcap'] as const;
export type RecordPart = (typeof RECORD_PARTS)[number];

/** A part as it is answered: members of the JSON answer, or a file of packets. */
export type ShownPart =
  | { readonly trace: SessionTrace }
  | { readonly capture: SessionCapture }
  | { readonly pcapng: Uint8Array };

/** The functions that the site needs to show records of sessions. */
export interface RecordPage {
  /** May the bearer read records of this tenant here, or this part of one? Gives the name of the caller. */
  readonly admit: (
    authorization: string | undefined,
    domain: string,
    part?: RecordPart,
  ) => Promise<Result<{ readonly name: string }, Failure<'unauthorized' | 'forbidden'>>>;
  readonly list: (
    parameters: URLSearchParams,
  ) => Promise<
    Result<{ readonly records: readonly SessionRecord[]; readonly nextToken?: string }, Failure<'invalid'>>
  >;
  /** Undefined: there is none of that id here. */
  readonly byId: (recordId: string) => Promise<SessionRecord | undefined>;
  /** Writes the look into the audit log first, and rejects when it cannot; fails with `notFound` where nothing is kept. */
  readonly part: (
    record: SessionRecord,
    part: RecordPart,
    by: string,
  ) => Promise<Result<ShownPart, Failure<'notFound'>>>;
}

interface RecordPath {
  readonly domain: string;
  readonly recordId: string | undefined;
  readonly part?: RecordPart;
}

const HEADERS = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
const STATUS = { unauthorized: 401, forbidden: 403, invalid: 400 } as const;

/** `/record/{domain}`, `/record/{domain}/{recordId}` and the parts of one; undefined for other paths. */
export function recordPath(pathname: string): RecordPath | undefined {
  const [, domain, recordId, last] = /^\/record\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(pathname) ?? [];
  const part = RECORD_PARTS.find((each) => each === last);
  if (last !== undefined && part === undefined) return undefined;
  try {
    return domain === undefined
      ? undefined
      : { domain: decodeURIComponent(domain), recordId, ...(part !== undefined && { part }) };
  } catch {
    return undefined;
  }
}

/** Records of this host, newest first, also without the control plane. */
export async function answerRecord(
  request: Request,
  { domain, recordId, part }: RecordPath,
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
  const admitted = await page.admit(request.headers.get('authorization') ?? undefined, domain, part);
  if (!admitted.ok) return refuse(STATUS[admitted.error.code], admitted.error.code, admitted.error.reason);
  if (recordId === undefined) {
    const found = await page.list(new URL(request.url).searchParams);
    return found.ok
      ? Response.json({ success: true, ...found.value }, { headers: HEADERS })
      : refuse(STATUS.invalid, found.error.code, found.error.reason);
  }
  const record = await page.byId(recordId);
  if (record === undefined)
    return refuse(
      404,
      'notFound',
      `The record ${recordId} is not on this host. Check the id, or ask the control plane.`,
    );
  if (part !== undefined) return await answerPart(record, part, admitted.value.name, page);
  return Response.json({ success: true, record }, { headers: HEADERS });
}

async function answerPart(
  record: SessionRecord,
  part: RecordPart,
  by: string,
  page: RecordPage,
): Promise<Response> {
  const found = await page.part(record, part, by).catch((): undefined => undefined);
  if (found === undefined)
    return refuse(
      503,
      'storageFailed',
      `The ${part} is not shown: the access cannot be written to the audit log. Check the disk of the host.`,
    );
  if (!found.ok) return refuse(404, found.error.code, found.error.reason);
  if (!('pcapng' in found.value)) {
    const body = await slicedJson({ success: true, ...found.value });
    return new Response(new Uint8Array(body), {
      headers: { ...HEADERS, 'content-type': 'application/json' },
    });
  }
  const disposition = `attachment; filename="carillon-${record.recordId}.pcapng"`;
  const headers = { ...HEADERS, 'content-type': 'application/x-pcapng', 'content-disposition': disposition };
  return new Response(new Uint8Array(found.value.pcapng), { headers });
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
