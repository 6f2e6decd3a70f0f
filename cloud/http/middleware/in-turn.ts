import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../routing/api-env.ts';

/**
 * Several middlewares as one: the router would make a promise for each with every request, here only those that wait
 * make one. For such as hand on what the next one gives.
 */
export const inTurn =
  (...parts: readonly MiddlewareHandler<ApiEnv>[]): MiddlewareHandler<ApiEnv> =>
  (c, next) => {
    const turn = (at: number): ReturnType<MiddlewareHandler<ApiEnv>> => {
      const part = parts[at];
      return part === undefined
        ? (next() as ReturnType<MiddlewareHandler<ApiEnv>>)
        : part(c, () => turn(at + 1) as Promise<void>);
    };
    return turn(0);
  };
