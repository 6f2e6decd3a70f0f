import { readFileSync } from 'node:fs';
import { selfTestTexts } from '#shared/self-test/index.ts';
import type { TechnicianAccess } from './technician-access.ts';

/** The operations of the page; each is one call. */
export interface TechnicianOperations {
  readonly state: () => unknown;
  /** Begins a self-test unless one runs; what it has found so far, and the record once it is done. */
  readonly startSelfTest: () => void;
  readonly selfTest: () => unknown;
  readonly enrol: (claim: TechnicianClaim) => Promise<TechnicianOutcome>;
  readonly network: () => unknown;
  /** The last lines, oldest first. */
  readonly log: () => readonly string[];
  /** The newest records of sessions, newest first. */
  readonly records: () => Promise<readonly unknown[]>;
  /** Tests that only the running appliance can make, also for the self-test of a second program. */
  readonly echo: () => Promise<unknown>;
  readonly trunks: () => Promise<unknown>;
  readonly expectCall: () => Promise<unknown>;
  readonly farEnd: (user: string) => Promise<unknown>;
  readonly alarms: () => Promise<unknown>;
  /** Messages of a trace or of a Call-ID; undefined: this host captures none. */
  readonly capture: (
    request: CaptureRequest,
  ) =>
    | Promise<{ readonly json: () => Promise<Uint8Array>; readonly pcapng: () => Promise<Uint8Array> }>
    | undefined;
  /** Redacted, to be carried away. */
  readonly bundle: () => Promise<unknown>;
}

interface CaptureRequest {
  readonly traceId?: string | undefined;
  readonly callIds?: readonly string[] | undefined;
}

export interface TechnicianClaim {
  readonly claim: string;
  readonly cloud: string | undefined;
  /** Text of a claim file; then the others are in it. */
  readonly file: string | undefined;
}

export interface TechnicianOutcome {
  readonly kind: 'enrolled' | 'waiting' | 'refused' | 'unreachable' | 'wrong';
  readonly reason: string;
}

const PREFIX = '/technician';
/** For programs of this machine: `carillon status` and `carillon selftest`. */
const LOCAL: ReadonlySet<string> = new Set([
  '/api/state',
  '/api/capture',
  ...['echo', 'trunk', 'call', 'far-end', 'alarm'].map((name) => `/api/probe/${name}`),
]);
const COOKIE = '__Host-technician';
const MOST_BYTES = 65_536;
const SECURITY = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const FILES: Readonly<Record<string, readonly [URL, string]>> = {
  '': [new URL('./technician/page.html', import.meta.url), 'text/html; charset=utf-8'],
  '/page.css': [new URL('./technician/page.css', import.meta.url), 'text/css; charset=utf-8'],
  '/text.js': [new URL('./technician/text.js', import.meta.url), 'text/javascript; charset=utf-8'],
  '/page.js': [new URL('./technician/page.js', import.meta.url), 'text/javascript; charset=utf-8'],
};

export const isTechnicianPath = (pathname: string): boolean =>
  pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);

/** The page of the technician and what it asks for. Works with no cloud and no certificate but our own. */
export const technicianPages =
  (access: TechnicianAccess, operations: TechnicianOperations, wallMs: () => number) =>
  async (request: Request, source: string): Promise<Response> => {
    const path = new URL(request.url).pathname.slice(PREFIX.length).replace(/\/$/, '');
    const file = FILES[path];
    if (file !== undefined && request.method === 'GET') {
      const [url, type] = file;
      return new Response(readFileSync(url, 'utf8'), { headers: { ...SECURITY, 'content-type': type } });
    }
    if (path === '/self-test.json' && request.method === 'GET') return json(selfTestTexts);
    // A form of a foreign page can send cookies (not ours: SameSite), but no header of its own.
    if (request.method !== 'GET' && request.headers.get('x-carillon') === null)
      return refuse(
        403,
        'forbidden',
        'The request is refused: it does not come from the technician page. Use the page.',
      );
    if (LOCAL.has(path) && access.isLocal(bearerOf(request))) {
      return answer(`${request.method} ${path}`, request, operations);
    }
    const session = cookieOf(request);
    if (path === '/api/session') return answerSession(request, access, session, { source, nowMs: wallMs() });
    if (!access.isSignedIn(session, wallMs()))
      return refuse(
        401,
        'unauthorized',
        'The request is not authenticated: it has no session. Sign in with the code that carillon status shows.',
      );
    return answer(`${request.method} ${path}`, request, operations);
  };

async function answerSession(
  request: Request,
  access: TechnicianAccess,
  session: string | undefined,
  { source, nowMs }: { readonly source: string; readonly nowMs: number },
): Promise<Response> {
  if (request.method === 'GET') return json({ signedIn: access.isSignedIn(session, nowMs) });
  if (request.method === 'DELETE') {
    access.signOut(session);
    return json({ success: true }, 200, { 'set-cookie': cookie('', 0) });
  }
  const { code } = await bodyOf(request);
  const signIn = access.signIn(code ?? '', source, nowMs);
  if (signIn.kind === 'signedIn')
    return json({ success: true }, 200, { 'set-cookie': cookie(signIn.session, 7_200) });
  if (signIn.kind === 'wrong')
    return refuse(
      401,
      'wrongCode',
      'The sign-in failed: the code is wrong or has expired. Enter the code that carillon status shows now.',
    );
  return refuse(
    429,
    'tooManyRequests',
    'The sign-in is refused: too many wrong codes were entered. Wait, then enter the new code that carillon status shows.',
    {
      'retry-after': String(signIn.retryAfterS),
    },
  );
}

async function answer(asked: string, request: Request, operations: TechnicianOperations): Promise<Response> {
  switch (asked) {
    case 'GET /api/state':
      return json(operations.state());
    case 'GET /api/network':
      return json(operations.network());
    case 'GET /api/log':
      return json({ lines: operations.log() });
    case 'GET /api/records':
      return json({ records: await operations.records() });
    case 'GET /api/selftest':
      return json(operations.selfTest());
    case 'POST /api/selftest':
      operations.startSelfTest();
      return json(operations.selfTest(), 202);
    case 'POST /api/enrol': {
      const { claim = '', cloud, file } = await bodyOf(request);
      const outcome = await operations.enrol({ claim, cloud: cloud || undefined, file: file || undefined });
      return json(outcome);
    }
    case 'POST /api/probe/echo':
      return json(await operations.echo());
    case 'POST /api/probe/trunk':
      return json(await operations.trunks());
    case 'POST /api/probe/call':
      return json(await operations.expectCall());
    case 'POST /api/probe/far-end': {
      const { user = '' } = await bodyOf(request);
      return json((await operations.farEnd(user)) ?? null);
    }
    case 'POST /api/probe/alarm':
      return json(await operations.alarms());
    case 'GET /api/capture':
      return answerCapture(new URL(request.url).searchParams, operations);
    case 'GET /api/bundle':
      return json(await operations.bundle(), 200, {
        'content-disposition': 'attachment; filename="carillon-support.json"',
      });
    default:
      return refuse(
        404,
        'notFound',
        `The path ${PREFIX}${asked.split(' ')[1] ?? ''} does not exist. Use the technician page.`,
      );
  }
}

/** `?trace=ID` or `?call=CALL-ID`, `&format=pcapng` for Wireshark. */
async function answerCapture(query: URLSearchParams, operations: TechnicianOperations): Promise<Response> {
  const [traceId, callIds] = [query.get('trace') ?? undefined, query.getAll('call')];
  if (traceId === undefined && callIds.length === 0)
    return refuse(
      400,
      'invalid',
      'The request is refused: it names no trace and no call. Add ?trace=ID or ?call=CALL-ID.',
    );
  const capture = await operations.capture({ traceId, callIds });
  if (capture === undefined)
    return refuse(
      409,
      'captureOff',
      'The request is refused: this host captures no messages. Set CARILLON_CAPTURE and start the host again.',
    );
  const isFile = query.get('format') === 'pcapng';
  const headers = isFile
    ? {
        ...SECURITY,
        'content-type': 'application/vnd.tcpdump.pcap',
        'content-disposition': 'attachment; filename="capture.pcapng"',
      }
    : { ...SECURITY, 'content-type': 'application/json' };
  return new Response(new Uint8Array(await (isFile ? capture.pcapng() : capture.json())), { headers });
}

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(body, { status, headers: { ...SECURITY, ...headers } });

const refuse = (
  status: number,
  code: string,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Response => json({ success: false, reason, error: { code } }, status, headers);

const cookie = (value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;

const bearerOf = (request: Request): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];

function cookieOf(request: Request): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(/;\s*/).map((pair) => pair.split('=', 2));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}

/** The texts of a short JSON object; anything else is none. */
async function bodyOf(request: Request): Promise<Readonly<Record<string, string | undefined>>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) return {};
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === 'string'));
  } catch {
    return {};
  }
}
