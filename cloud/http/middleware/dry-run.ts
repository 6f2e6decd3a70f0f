import type { Context, MiddlewareHandler, Next } from 'hono';
import { routePath } from 'hono/route';
import type { ApiEnv } from '../routing/api-env.ts';
import { DRY_RUN, DRY_RUN_HEADER, type DryRunMethod, dryRunMethod } from '../routing/dry-run.ts';
import type { PathTable } from '../routing/path-table.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

type Ask = (path: string, init: RequestInit, env: unknown) => Response | Promise<Response>;

type Reads = Exclude<DryRunMethod, string>['reads'];

/** Headers that belong to the write alone. */
const OF_THE_WRITE = ['Content-Type', 'Content-Length', 'If-Match', 'Idempotency-Key'];

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * `?dryRun=true` on a writing request: the route runs as always, the store keeps nothing, and the answer says under `stored`
 * how the resource would read. One place for all routes, so that a dry run judges by the very rules of the write.
 *
 * Chosen: a route whose effect lies outside the store refuses a dry run, because a rolled-back transaction cannot undo it.
 */
export function dryRun(
  rehearse: AppPort['rehearse'],
  table: () => PathTable,
  ask: Ask,
): MiddlewareHandler<ApiEnv> {
  const rehearsed: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const dryRun = c.req.query(DRY_RUN);
    if (dryRun === undefined || !WRITES.has(c.req.method)) return await next();
    if (dryRun !== 'true' && dryRun !== 'false')
      return refusal(c, {
        code: 'invalid',
        reason: `/${DRY_RUN}: must be true or false`,
        path: `/${DRY_RUN}`,
      });
    const path = routePath(c, -1);
    const method = dryRunMethod(c.req.method, path);
    // An unknown path says so itself.
    if (method === 'none')
      return dryRun === 'true' && table().ofPattern(path) !== undefined
        ? refusal(c, impossible(c))
        : await withoutDryRun(c, next);
    if (method === 'own') {
      if (dryRun === 'true') c.header(DRY_RUN_HEADER, 'true');
      return await next();
    }
    if (dryRun === 'false') return await withoutDryRun(c, next);
    c.set('dryRun', true);
    c.header(DRY_RUN_HEADER, 'true');
    await rehearse(async () => {
      await withoutDryRun(c, next);
      await addStored(c, method.reads, ask);
    });
    return undefined;
  };
  return (c, next) => (c.req.url.includes(DRY_RUN) ? rehearsed(c, next) : next());
}

const impossible = (c: Context) => ({
  code: 'dryRunImpossible',
  reason: `A dry run of ${c.req.method} ${c.req.path} is not possible: the request acts at once, and its effect cannot be taken back. Send it without ${DRY_RUN} when it is to act.`,
  path: `/${DRY_RUN}`,
});

/** Routes describe their own queries, most of them strictly; the body was read before and stays. */
async function withoutDryRun(c: Context, next: Next): Promise<void> {
  const url = new URL(c.req.url);
  url.searchParams.delete(DRY_RUN);
  c.req.raw = new Request(url, { method: c.req.method, headers: c.req.raw.headers });
  await next();
}

/** Reads the resource as it would be stored, and puts it into the answer of the write. */
async function addStored(c: Context<ApiEnv>, reads: Reads, ask: Ask): Promise<void> {
  if (reads === undefined || c.res.status !== 200 || c.req.method === 'DELETE') return;
  const answer = (await c.res.clone().json()) as Record<string, unknown>;
  const { pathname, search } = new URL(c.req.url);
  const below =
    reads === 'here' ? '' : `/${encodeURIComponent(String(answer[reads] ?? (await c.req.json())[reads]))}`;
  const headers = new Headers(c.req.raw.headers);
  for (const name of OF_THE_WRITE) headers.delete(name);
  const read = await ask(`${pathname}${below}${search}`, { headers }, c.env);
  if (read.status !== 200) return;
  const { success: _, ...stored } = (await read.json()) as Record<string, unknown>;
  c.res = c.json({ ...answer, stored }, 200);
}
