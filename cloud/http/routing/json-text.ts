import type { Context, TypedResponse } from 'hono';
import { routePath } from 'hono/route';
import type { ApiEnv } from './api-env.ts';

/** Routes that answer by `answerText` or a refusal, and by nothing else. */
const TEXT_ROUTES: ReadonlySet<string> = new Set([
  'GET /provisioning/device/:domain',
  'GET /provisioning/device/:domain/:deviceId',
]);

/**
 * Begins the head of an answer. A `Headers` object that every middleware writes to costs as much as finding the device:
 * where the answer is one text, what it carries is kept as a plain object and written once.
 */
export function beginHead(c: Context<ApiEnv>): void {
  if (TEXT_ROUTES.has(`${c.req.method} ${routePath(c, -1)}`)) c.set('head', {});
}

/** A header of the answer, set before the answer is made. */
export function setHeader(c: Context<ApiEnv>, name: string, value: string): void {
  const head = c.get('head');
  if (head === undefined) c.header(name, value);
  else head[name] = value;
}

/** Where the answer is no text after all: the headers kept so far, as any other answer has them. */
export function spillHead(c: Context<ApiEnv>): void {
  const head = c.get('head');
  if (head === undefined) return;
  c.set('head', undefined);
  for (const [name, value] of Object.entries(head)) c.header(name, value);
}

/** 200 with a body that is JSON text already; `Body` is what it says. */
export function answerText<Body>(c: Context<ApiEnv>, text: string): TypedResponse<Body, 200, 'json'> {
  const headers = { ...c.get('head'), 'Content-Type': 'application/json' };
  return new Response(text, { status: 200, headers }) as unknown as TypedResponse<Body, 200, 'json'>;
}
