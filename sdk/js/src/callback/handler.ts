import { CALLBACKS, type CallbackName, type Callbacks } from '../contract/callback.codes.ts';
import { type AnswerMemory, answerMemory, type GivenAnswer } from './memory.ts';
import { CallbackRefusal } from './refusal.ts';
import type { CallbackClaims } from './token.ts';
import { createVerifier, type VerifierOptions } from './verify.ts';

/** The request around a callback, checked. */
export interface CallbackContext {
  readonly claims: CallbackClaims;
  /** The same for every attempt of one event; empty when the request has none. */
  readonly idempotencyKey: string;
  readonly traceId: string;
  /** Order of the events of one session, from 1; 0 when the request has none. */
  readonly eventSeq: number;
  /** Attempt of this event, from 1. */
  readonly attempt: number;
  /** Path of the request. */
  readonly path: string;
  /**
   * The event was live and its time is over: the configured fallback has acted, and the answer decides nothing more.
   */
  readonly isLate: boolean;
}

type Given<Answer> = Answer | Promise<Answer>;

/** A function for each callback that the application takes. */
export type Handlers = {
  readonly [Name in CallbackName]?: (
    body: Callbacks[Name]['body'],
    context: CallbackContext,
  ) => Given<Callbacks[Name]['answer']>;
};

export interface HandlerOptions extends VerifierOptions {
  readonly on: Handlers;
  /** Callbacks of no name in `on`: paths of an event map, and records the application does not need. */
  readonly other?: (path: string, body: unknown, context: CallbackContext) => Given<object | undefined>;
  /** Name of the callback behind a path; default: the end of the path. */
  readonly nameOf?: (path: string) => CallbackName | undefined;
  readonly answers?: AnswerMemory;
  /** Every request that was not answered with 200, with its cause; default: `console.error`. */
  readonly onFailure?: (failure: { path: string; status: number; reason: string; cause: unknown }) => void;
}

export type CallbackHandler = (request: Request) => Promise<Response>;

/** Most bytes of a body; the platform's own are far smaller. */
const MOST_BYTES = 1_048_576;

/**
 * The application's side of the callbacks: checks the request, gives a repeat its first answer, and runs the function of
 * the callback.
 *
 * Chosen: a live callback without a function is answered 501, so that the platform's fallback acts; an answer that was
 * made up here would decide about a person. A record without one is accepted, since it asks for nothing.
 */
export function createHandler(options: HandlerOptions): CallbackHandler {
  const verify = createVerifier(options);
  const answers = options.answers ?? answerMemory();
  const report = options.onFailure ?? print;

  const refused = (path: string, status: number, reason: string, cause?: unknown): Response => {
    report({ path, status, reason, cause });
    return Response.json({ reason }, { status });
  };

  return async (request) => {
    const path = new URL(request.url).pathname;
    if (request.method !== 'POST')
      return refused(path, 405, `Callbacks are posted; the method was ${request.method}.`);
    try {
      const body = await rawBody(request);
      if (body === undefined) return refused(path, 413, `The body has more than ${MOST_BYTES} bytes.`);
      const claims = await verify({ authorization: request.headers.get('authorization'), body });
      const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
      const context = contextOf(request, path, claims, json);
      const name = (options.nameOf ?? nameOf)(path);
      const given = await answerOnce(context, () => answerOf(options, name, json, context));
      if (given.status !== 200) report({ path, status: given.status, reason: given.body, cause: undefined });
      return new Response(given.body, {
        status: given.status,
        headers: { 'content-type': 'application/json' },
      });
    } catch (cause) {
      if (cause instanceof CallbackRefusal && cause.code === 'keyUnsuitable')
        return refused(path, 500, cause.message, cause);
      if (cause instanceof CallbackRefusal) return refused(path, 401, cause.message, cause);
      if (cause instanceof SyntaxError || cause instanceof TypeError)
        return refused(path, 400, `The callback could not be read: ${cause.message}`, cause);
      return refused(path, 500, 'The function of the callback failed; its log has the cause.', cause);
    }
  };

  function answerOnce(context: CallbackContext, answer: () => Promise<GivenAnswer>): Promise<GivenAnswer> {
    const { claims, idempotencyKey, path } = context;
    if (idempotencyKey === '') return answer();
    return answers.once(`${claims.iss} ${path} ${idempotencyKey}`, answer);
  }
}

/** A failure inside a function of the application, so that its TypeError is not taken for an unreadable body. */
class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

async function answerOf(
  { on, other }: HandlerOptions,
  name: CallbackName | undefined,
  body: unknown,
  context: CallbackContext,
): Promise<GivenAnswer> {
  const own = name === undefined ? undefined : (on[name] as Handlers['newCall'] | undefined);
  // A path that is not known is a record of a newer platform: a refusal would count as an outage, and hold all records back.
  const isLive = name !== undefined && CALLBACKS[name].decides;
  if (own === undefined && other === undefined && isLive && !context.isLate)
    return {
      status: 501,
      body: JSON.stringify({
        reason: `The application has no function for ${context.path}. Add it to on, or take every path with other.`,
      }),
    };
  try {
    const answer =
      own === undefined
        ? await other?.(context.path, body, context)
        : await own(body as Callbacks['newCall']['body'], context);
    return { status: 200, body: JSON.stringify(answer ?? {}) };
  } catch (cause) {
    throw new FunctionFailed(`The function for ${context.path} failed: ${String(cause)}`, { cause });
  }
}

/** `/hooks/newCall` is `newCall`; below a base that ends in `/callrecording` the callbacks of recording services are meant. */
function nameOf(path: string): CallbackName | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const names = [parts.slice(-2).join('/'), parts.at(-1) ?? ''];
  return names.find((name): name is CallbackName => Object.hasOwn(CALLBACKS, name));
}

function contextOf(
  { headers }: Request,
  path: string,
  claims: CallbackClaims,
  body: unknown,
): CallbackContext {
  return {
    claims,
    path,
    idempotencyKey: headers.get('idempotency-key') ?? '',
    traceId: headers.get('x-trace-id') ?? '',
    eventSeq: Number(headers.get('x-event-seq') ?? 0),
    attempt: Number(headers.get('x-delivery-attempt') ?? 1),
    isLate: (body as { late?: unknown } | null)?.late === true,
  };
}

/** A refusal says all in its sentence; a failure inside the application is found by the stack of its cause. */
function print({
  path,
  status,
  reason,
  cause,
}: Parameters<NonNullable<HandlerOptions['onFailure']>>[0]): void {
  const line = `${path} ${status}: ${reason}`;
  if (cause === undefined || cause instanceof CallbackRefusal) console.error(line);
  else console.error(line, cause);
}

/** The bytes of the body, or undefined when there are too many. */
async function rawBody(request: Request): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) return undefined;
  const body = new Uint8Array(await request.arrayBuffer());
  return body.length > MOST_BYTES ? undefined : body;
}
