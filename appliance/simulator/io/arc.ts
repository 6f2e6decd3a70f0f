import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { importSPKI, jwtVerify } from 'jose';
import { BoundedMap } from '#shared/bounded-map.ts';
import { type Certificate, listenHttps } from '../../io/https-listener/index.ts';
import { arcPage } from '../endpoint/arc-page.ts';
import { switchboard } from '../endpoint/switchboard.ts';

/** One request that the application got. */
export interface ArcRequest {
  /** Wall clock, epoch milliseconds. */
  readonly atMs: number;
  readonly path: string;
  readonly traceId: string;
  /** The same over every repeat of one delivery; empty when the request carried none. */
  readonly idempotencyKey: string;
  /** The bearer token was signed by the expected key and its body hash fits. */
  readonly verified: boolean;
  /** The Idempotency-Key has been seen: the first answer was given again. */
  readonly repeated: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface ArcOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: Certificate;
  /** SPKI PEM of the ES256 key that signs callbacks; undefined = signatures are not checked. */
  readonly publicKeyPem: string | undefined;
  /** Time it thinks about an alarm before it answers, ms; default none. */
  readonly thinkMs?: number;
  /** Its answer to an alarm; default: the alarm is connected to the operator. */
  readonly alarmAction?: 'callEmergencyCenter' | 'drop';
  /** Another application that answers in the place of this one; it gets each request whose signature is valid as it came. */
  readonly forward?: (request: ArcPassed) => Promise<ArcPassedAnswer>;
  /** Another program for requests to some paths, which get there as they come; undefined: they are for this application. */
  readonly relay?: (request: ArcPassed) => Promise<ArcPassedAnswer> | undefined;
  readonly onRequest?: (request: ArcRequest) => void;
}

/** A request for another application: path with query, headers, and the body byte for byte. */
export interface ArcPassed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ArcPassedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Arc {
  readonly ready: Readonly<Record<string, unknown>>;
  readonly received: (fits: (request: ArcRequest) => boolean, withinMs: number) => Promise<ArcRequest>;
  readonly close: () => Promise<void>;
}

const SHOWN = 200;
const REMEMBERED = 10_000;
const ALARM = '/newAlarmbridgeEvent';

/**
 * The application of an alarm receiving centre, as a customer would write it: verifies the signature, recognises
 * repeats by the Idempotency-Key, and says what to do with the alarm. A page at `/` shows what came.
 */
export async function startArc(options: ArcOptions): Promise<Arc> {
  const key =
    options.publicKeyPem === undefined ? undefined : await importSPKI(options.publicKeyPem, 'ES256');
  const requests: ArcRequest[] = [];
  const answered = new BoundedMap<string, Readonly<Record<string, unknown>>>(REMEMBERED);
  const waiting = new Set<(request: ArcRequest) => void>();

  const take = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (request.method === 'GET') return page(path, requests);
    const text = await request.text();
    const relayed = await options.relay?.(passedOn(request, text));
    if (relayed !== undefined) return responseOf(relayed);
    const body = jsonObject(text);
    if (body === undefined)
      return Response.json({ reason: 'the body is not a JSON object' }, { status: 400 });
    const verified = key !== undefined && (await isVerified(request, text, key));
    if (key !== undefined && !verified) {
      return Response.json({ reason: 'the signature of the request is not valid' }, { status: 401 });
    }
    const idempotencyKey = request.headers.get('idempotency-key') ?? '';
    const repeated = answered.has(idempotencyKey);
    const passed = await options.forward?.(passedOn(request, text));
    const answer =
      passed === undefined
        ? (answered.get(idempotencyKey) ?? whatToDo(path, body, options.alarmAction))
        : (jsonObject(passed.body) ?? {});
    if (idempotencyKey !== '') answered.set(idempotencyKey, answer);
    const traceId = request.headers.get('x-trace-id') ?? '';
    const seen = { atMs: Date.now(), path, traceId, idempotencyKey, verified, repeated, body, answer };
    requests.push(seen);
    if (requests.length > SHOWN) requests.shift();
    options.onRequest?.(seen);
    for (const each of waiting) each(seen);
    if (passed !== undefined) return responseOf(passed);
    if (options.thinkMs !== undefined && path === ALARM) await delay(options.thinkMs);
    return Response.json(answer);
  };

  const listener = await listenHttps(options, take);
  return {
    ready: { arc: `https://${options.host}:${listener.port}` },
    received: (fits, withinMs) => firstFit(requests, waiting, fits, withinMs),
    close: listener.close,
  };
}

const responseOf = ({ status, headers, body }: ArcPassedAnswer): Response =>
  new Response(body === '' ? null : body, { status, headers });

function passedOn(request: Request, body: string): ArcPassed {
  const { pathname, search } = new URL(request.url);
  return { path: `${pathname}${search}`, headers: Object.fromEntries(request.headers), body };
}

/** An alarm is connected to the operator, a call gets a menu; everything else only needs to be heard. */
const whatToDo = (
  path: string,
  body: Readonly<Record<string, unknown>>,
  action: ArcOptions['alarmAction'] = 'callEmergencyCenter',
): Readonly<Record<string, unknown>> =>
  path === ALARM ? { action } : (switchboard(path, body) ?? { success: true });

async function isVerified(request: Request, text: string, key: CryptoKeyLike): Promise<boolean> {
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'] });
    return payload.bodySha256 === bodyHash(text, payload.bodySha256);
  } catch {
    return false;
  }
}

type CryptoKeyLike = Awaited<ReturnType<typeof importSPKI>>;

/** The hash in the form in which the claim gives it: hexadecimal or base64url. */
const bodyHash = (text: string, claimed: unknown): string =>
  createHash('sha256')
    .update(text)
    .digest(typeof claimed === 'string' && /^[0-9a-f]{64}$/.test(claimed) ? 'hex' : 'base64url');

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function page(path: string, requests: readonly ArcRequest[]): Response {
  if (path === '/requests') return Response.json(requests);
  if (path !== '/') return Response.json({ reason: 'nothing here; the page is at /' }, { status: 404 });
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
  return new Response(arcPage, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

function firstFit(
  requests: readonly ArcRequest[],
  waiting: Set<(request: ArcRequest) => void>,
  fits: (request: ArcRequest) => boolean,
  withinMs: number,
): Promise<ArcRequest> {
  const already = requests.find(fits);
  if (already !== undefined) return Promise.resolve(already);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(look);
      reject(new Error(`the demo application got no callback within ${withinMs / 1000} s`));
    }, withinMs);
    const look = (request: ArcRequest): void => {
      if (!fits(request)) return;
      clearTimeout(late);
      waiting.delete(look);
      resolve(request);
    };
    waiting.add(look);
  });
}
