import type { Context } from 'hono';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Principal, TenantName } from '../../tenant/index.ts';
import type { ApiEnv, HttpCall } from './api-env.ts';
import type { AppPort } from './port.ts';

/** Remote address of the connection; empty where there is none (requests inside the process). */
export function remoteAddress(c: Context): string {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return env?.incoming?.socket?.remoteAddress ?? '';
}

/** An actor without a name yet: a caller before the sign-in. */
export const visitor = (c: Context<ApiEnv>, at: number) => ({
  name: 'visitor',
  address: remoteAddress(c),
  requestId: c.var.requestId,
  at,
});

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The part of a request that a writing core needs. Fails with `invalid` for a bad Idempotency-Key. */
export async function callOf(
  port: Pick<AppPort, 'nowMs' | 'sha256'>,
  c: Context<ApiEnv>,
  principal: Principal,
  tenant: TenantName,
  requestId: string,
): Promise<Result<HttpCall>> {
  const ifMatch = c.req.header('If-Match');
  const key =
    c.req.method === 'POST' && c.get('dryRun') !== true ? c.req.header('Idempotency-Key') : undefined;
  if (key !== undefined && !KEY.test(key))
    return fail(
      'invalid',
      'The Idempotency-Key is not valid: it must be 1 to 255 visible ASCII characters.',
      'Idempotency-Key',
    );
  return ok({
    tenant: tenant.id,
    domain: tenant.domain,
    actor: {
      name: principal.name,
      ...(principal.kid === undefined ? {} : { kid: principal.kid }),
      address: remoteAddress(c),
      requestId,
      at: port.nowMs(),
    },
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(key === undefined ? {} : { once: { key, fingerprint: port.sha256(await asked(c)) } }),
  });
}

/** Two requests are the same when path, query and body are equal. Caller and time do not count. */
async function asked(c: Context): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}\n${await c.req.text()}`;
}
