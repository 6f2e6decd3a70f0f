import type { Context, TypedResponse } from 'hono';

/** 200 with a body that is JSON text already; `Body` is what it says. */
export const answerText = <Body>(c: Context, text: string): TypedResponse<Body, 200, 'json'> =>
  c.body(text, 200, { 'Content-Type': 'application/json' }) as unknown as TypedResponse<Body, 200, 'json'>;
