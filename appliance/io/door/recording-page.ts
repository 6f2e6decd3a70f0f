import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';

/** The functions that the site needs to show recordings. */
export interface RecordingPage {
  /** Undefined: the bearer may come in; else why not. */
  readonly refusalOf: (token: string, domain: string) => Promise<string | undefined>;
  /** Where the recording of that name stands; undefined: there is none here. */
  readonly pathOf: (fileName: string) => string | undefined;
  /** Writes down that the bearer hears it; rejects when that cannot be kept. */
  readonly noteRead: (token: string, fileName: string) => Promise<void>;
}

const HEADERS = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
const TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

/** `/mediaservice/{domain}/promptfile/{filename}`, and without the first word: tenant and name; undefined for others. */
export function recordingPath(
  pathname: string,
): { readonly domain: string; readonly fileName: string } | undefined {
  const [, domain, name] = /^(?:\/mediaservice)?\/([^/]+)\/promptfile\/([^/]+)$/.exec(pathname) ?? [];
  try {
    return domain === undefined || name === undefined
      ? undefined
      : { domain: decodeURIComponent(domain), fileName: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

/** A recording of this site, from `recordingReady` on; prompt files themselves are the cloud's (decisions 1). */
export async function answerRecording(
  request: Request,
  { domain, fileName }: { readonly domain: string; readonly fileName: string },
  page: RecordingPage,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(
      404,
      'notFound',
      'The file is not changed: a host only sends files. Upload and delete prompt files at the control plane.',
    );
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (token === undefined)
    return refuse(
      401,
      'unauthorized',
      'The request is not authenticated: it carries no token. Send the header Authorization: Bearer <token>.',
    );
  const against = await page.refusalOf(token, domain);
  if (against !== undefined) return refuse(403, 'forbidden', against);
  const path = page.pathOf(fileName);
  if (path === undefined)
    return refuse(
      404,
      'notFound',
      `The recording ${fileName} is not at this site. Check the name, or ask the control plane.`,
    );
  // The page gives out no recording before the access is noted.
  if (request.method === 'GET') {
    try {
      await page.noteRead(token, fileName);
    } catch {
      const reason =
        'The recording is not sent: the access cannot be written to the audit log. Check the disk of the host.';
      return refuse(503, 'storageFailed', reason);
    }
  }
  const type = TYPES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  const headers = {
    ...HEADERS,
    'content-type': type,
    'content-length': String(statSync(path).size),
    'x-content-type-options': 'nosniff',
  };
  return request.method === 'HEAD'
    ? new Response(null, { headers })
    : new Response(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>, { headers });
}

function refuse(status: number, code: string, reason: string): Response {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="carillon"' } : {};
  return Response.json(
    { success: false, reason, error: { code } },
    { status, headers: { ...HEADERS, ...challenge } },
  );
}
