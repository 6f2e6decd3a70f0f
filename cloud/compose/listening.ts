import { type Listen, listenAdvice } from '#shared/setting/index.ts';

/** The error for an address that cannot be bound names the part that wanted it, and the setting `env` that names it. */
export const listeningAt = <T>(what: string, env: string, at: Listen, opening: Promise<T>): Promise<T> =>
  opening.catch((cause: NodeJS.ErrnoException) => {
    if (cause.syscall !== 'listen' && cause.syscall !== 'bind') throw cause;
    const advice = listenAdvice(env, at, cause.code);
    throw new Error(`${what} cannot listen on ${at.host} port ${at.port}: ${cause.message}; ${advice}`, {
      cause,
    });
  });
