import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import {
  type CallbackHandler,
  CallbackRefusal,
  createHandler,
  type HandlerOptions,
} from '#sdk/js/src/callback/index.ts';
import { newAlarmbridgeEventSchema } from '#shared/contract/callback/index.ts';
import { type Listener, listenerOf, rightOptions } from './application.ts';

/** One application with exactly one fault: the right one, changed at one place. */
export type Faulty = () => { readonly listener: Listener; readonly onSocket?: (socket: Socket) => void };

type Body = Record<string, unknown> & {
  readonly sessionId?: string;
  readonly ivrServer?: string;
  readonly replyId?: string;
  readonly late?: true;
  readonly alarmEvent?: Readonly<Record<string, unknown>>;
};
/** A refusal of the faulty application; undefined: it does what the right one does. */
type Refuses = (
  request: Request,
  text: string,
  body: Body,
) => Response | undefined | Promise<Response | undefined>;

const no = (status: number): Response => Response.json({ reason: 'a fault that was planted' }, { status });
const traceIs = (request: Request, name: string): boolean =>
  request.headers.get('x-trace-id') === `rehearsal-${name}`;

/** The right application with a refusal in front of it. */
const refusing =
  (make: () => Refuses): Faulty =>
  () => {
    const [right, refuses] = [createHandler(rightOptions()), make()];
    const faulty: CallbackHandler = async (request) => {
      const text = await request.clone().text();
      return (await refuses(request, text, JSON.parse(text))) ?? (await right(request));
    };
    return { listener: listenerOf(faulty) };
  };
const always = (refuses: Refuses): Faulty => refusing(() => refuses);

/** The right application with other options of the SDK. */
const optioned =
  (change: Partial<HandlerOptions>): Faulty =>
  () => ({ listener: listenerOf(createHandler({ ...rightOptions(), ...change })) });

/** The right application that takes what a check of it refuses. */
const overlooking =
  (code: CallbackRefusal['code'], algorithm?: string): Faulty =>
  () => {
    let refused: string | undefined;
    const onFailure: HandlerOptions['onFailure'] = ({ cause }) => {
      if (cause instanceof CallbackRefusal) refused = cause.code;
    };
    const right = createHandler({ ...rightOptions(), onFailure });
    const faulty: CallbackHandler = async (request) => {
      const token = request.headers.get('authorization') ?? '';
      const header = Buffer.from(token.replace('Bearer ', '').split('.')[0] ?? '', 'base64url').toString();
      refused = undefined;
      const answer = await right(request);
      const isIts = algorithm === undefined || header.includes(`"${algorithm}"`);
      return refused === code && isIts ? Response.json({ action: 'drop' }) : answer;
    };
    return { listener: listenerOf(faulty) };
  };

/** The right application behind a listener that stands in its way. */
const listening =
  (refuses: (...[request, response]: Parameters<Listener>) => boolean): Faulty =>
  () => {
    const right = listenerOf(createHandler(rightOptions()));
    return { listener: (request, response) => void (refuses(request, response) || right(request, response)) };
  };

const KNOWN = new Set(Object.keys(newAlarmbridgeEventSchema.shape));
const HUNDRED_KIB = 100 * 1_024;
const DAY_S = 86_400;

/** Each situation, and the fault that turns its line red. */
export const FAULTS: Readonly<Record<string, Faulty>> = {
  'first-alarm': refusing(() => {
    let isCold = true;
    return () => {
      const answer = isCold ? Response.json({}) : undefined;
      isCold = false;
      return answer;
    };
  }),
  'unknown-unit': always((_, __, { alarmEvent }) =>
    alarmEvent !== undefined && String(alarmEvent.controllerId).startsWith('unit-') ? no(500) : undefined,
  ),
  'unknown-code': always((_, __, { alarmEvent }) =>
    alarmEvent?.deviceType === 'unknown' ? no(500) : undefined,
  ),
  'newer-platform': always((_, __, body) =>
    body.alarmEvent !== undefined && Object.keys(body).some((key) => !KNOWN.has(key)) ? no(400) : undefined,
  ),
  'many-scripts': always((_, text) => (/[\u0100-\uffff]/.test(text) ? no(500) : undefined)),
  charset: always(({ headers }) =>
    headers.get('content-type') === 'application/json' ? undefined : no(415),
  ),
  'huge-body': always((_, text) => (text.length > HUNDRED_KIB ? no(413) : undefined)),
  'withdrawn-alarm': always((_, __, { alarmEvent }) =>
    alarmEvent?.statusCode === 'cleared' ? no(400) : undefined,
  ),
  'alarm-storm': refusing(() => {
    let seen = 0;
    return (request) => (traceIs(request, 'alarm-storm') && ++seen > 30 ? no(503) : undefined);
  }),
  twice: answeringRepeats('twice', 409),
  'twice-at-once': answeringRepeats('twice-at-once', 200),
  'connection-reset': answeringRepeats('connection-reset', 409),
  'out-of-order': refusing(() => {
    const sessions = new Set<string>();
    return ({ headers }, _, { alarmEvent, sessionId = '' }) => {
      if (alarmEvent === undefined) return undefined;
      if (headers.get('x-event-seq') !== '1' && !sessions.has(sessionId)) return no(404);
      sessions.add(sessionId);
      return undefined;
    };
  }),
  'late-event': always((_, __, { late }) => (late === true ? no(400) : undefined)),
  outage: refusing(() => {
    let seen = 0;
    return (request) => (traceIs(request, 'outage') && ++seen > 5 ? no(429) : undefined);
  }),
  'error-then-well': refusing(() => {
    const keys = new Set<string>();
    return ({ headers }) => {
      const key = headers.get('idempotency-key') ?? '';
      if (keys.has(key) && headers.get('x-delivery-attempt') !== '1') return no(409);
      keys.add(key);
      return undefined;
    };
  }),
  'host-swapped': refusing(() => {
    const hosts = new Map<string, string>();
    return (_, __, { sessionId = '', ivrServer = '' }) => {
      if ((hosts.get(sessionId) ?? ivrServer) !== ivrServer) return no(409);
      hosts.set(sessionId, ivrServer);
      return undefined;
    };
  }),
  'old-reply-id': always((_, __, { replyId }) => {
    const payload = Buffer.from(replyId?.split('.')[1] ?? '', 'base64url').toString();
    return replyId !== undefined && JSON.parse(payload).iat < Date.now() / 1_000 - DAY_S
      ? no(404)
      : undefined;
  }),
  'platform-alarm': always(({ url }) => (url.endsWith('/platformAlarm') ? no(404) : undefined)),
  'unknown-event': always(({ url }) => (url.endsWith('/unitLocated') ? no(501) : undefined)),
  'no-token': overlooking('tokenMissing'),
  'forged-signature': overlooking('signatureInvalid'),
  'algorithm-none': overlooking('algorithmNotAllowed', 'none'),
  'public-key-as-secret': overlooking('algorithmNotAllowed', 'HS256'),
  'wrong-audience': overlooking('audienceWrong'),
  'wrong-tenant': overlooking('issuerWrong'),
  'body-changed': overlooking('bodyChanged'),
  'body-layout': always((_, text) => (JSON.stringify(JSON.parse(text)) === text ? undefined : no(401))),
  'replayed-token': overlooking('replayed'),
  'expired-token': overlooking('expired'),
  'token-of-the-future': overlooking('issuedInFuture'),
  'clock-skew': optioned({ clockSkewS: 2 }),
  'key-rotated': optioned({ keys: rightOptions().keys.slice(0, 1) }),
  'slow-answer': refusing(() => {
    let seen = 0;
    return async (request) => {
      if (traceIs(request, 'slow-answer') && ++seen === 10) await delay(SLOW_MS);
      return undefined;
    };
  }),
  'slow-request': listening((request, response) => {
    if (request.headers['x-trace-id'] !== 'rehearsal-slow-request') return false;
    request.once('data', () => response.writeHead(408).end());
    return true;
  }),
  chunked: listening((request, response) => {
    if (request.headers['content-length'] !== undefined) return false;
    response.writeHead(411).end();
    return true;
  }),
  'http-1.0': listening((request, response) => {
    if (request.httpVersion !== '1.0') return false;
    response.writeHead(505).end();
    return true;
  }),
  'half-answer': listening((request, response) => {
    if (request.headers.connection !== 'close') return false;
    response.writeHead(200, { 'content-length': '100' }).write('{"action":"drop"}');
    request.on('end', () => request.socket.end()).resume();
    return true;
  }),
  redirect: listening((request, response) => {
    if (request.url?.includes('?') !== true) return false;
    response.writeHead(307, { location: '/elsewhere' }).end();
    return true;
  }),
  'tls-renegotiation': () => {
    let isShaken = false;
    const right = listenerOf(createHandler(rightOptions()));
    return {
      onSocket: (socket) => {
        isShaken ||= socket instanceof TLSSocket && socket.getProtocol() === 'TLSv1.2';
      },
      listener: (request, response) => {
        if (!isShaken) return right(request, response);
        isShaken = false;
        response.writeHead(503).end();
      },
    };
  },
};

/** callbackTimeout of the rehearsals, and an answer beyond half of it, ms. */
export const TIMEOUT_MS = 8_000;
const SLOW_MS = 4_200;

/** A repeat of a key gets another answer than the first request did. */
function answeringRepeats(situation: string, status: number): Faulty {
  return refusing(() => {
    const keys = new Set<string>();
    return (request) => {
      const key = request.headers.get('idempotency-key') ?? '';
      if (!traceIs(request, situation) || !keys.has(key)) {
        keys.add(key);
        return undefined;
      }
      return status === 200 ? Response.json({ action: 'drop' }) : no(status);
    };
  });
}
