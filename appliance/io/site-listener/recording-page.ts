import type { Failure } from '#shared/result.ts';
import type { FindRecording } from '../../media/recording/index.ts';

/** The functions that the site needs to show recordings. */
export interface RecordingPage {
  /** Undefined: the bearer may come in; else why not. */
  readonly refusalOf: (token: string, domain: string) => Promise<string | undefined>;
  /** Finds the recording of that name, at whichever host of the site it was made, or at the control plane. */
  readonly find: FindRecording;
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
  const found = await page.find(fileName);
  if (!found.ok) return missing(fileName, found.error);
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
    'content-length': String(found.value.sizeBytes),
    'x-content-type-options': 'nosniff',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  const bytes = await found.value.open();
  return bytes.ok ? new Response(bytes.value, { headers }) : missing(fileName, bytes.error);
}

/** A file that could not be asked for everywhere may exist. */
const missing = (fileName: string, { code, reason }: Failure<'notFound' | 'unreachable'>): Response =>
  code === 'notFound'
    ? refuse(
        404,
        'notFound',
        `The recording ${fileName} is neither at this site nor at the control plane. Check the name.`,
      )
    : refuse(
        503,
        'hostUnreachable',
        `The recording ${fileName} is at no host of this site that answers, and the control plane cannot be asked: ${reason}. Check the line, and ask again.`,
      );

function refuse(status: number, code: string, reason: string): Response {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="carillon"' } : {};
  return Response.json(
    { success: false, reason, error: { code } },
    { status, headers: { ...HEADERS, ...challenge } },
  );
}
