import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../routing/api-env.ts';

/** Bytes from which an answer is packed: below it the headers and the work cost more than the way. */
const LEAST = 16_384;
const CODING = 'gzip';

/**
 * Packs a large answer of GET for a client that takes it: ten thousand hosts are 3 MB, which a slow line carries in 15 s. Chosen: on the
 * routes of lists and captures alone, none of whose answers holds a secret that its reader could find out by the length of the answer.
 */
export function packedAnswer(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    if (c.req.method !== 'GET' || c.res.status !== 200) return;
    if (c.res.headers.get('Content-Type')?.startsWith('application/json') !== true) return;
    c.header('Vary', 'Accept-Encoding', { append: true });
    if (!takes(c.req.header('Accept-Encoding') ?? '')) return;
    const { status, headers } = c.res;
    const bytes = await c.res.arrayBuffer();
    const isSmall = bytes.byteLength < LEAST;
    const packed = isSmall ? bytes : new Blob([bytes]).stream().pipeThrough(new CompressionStream(CODING));
    c.res = new Response(packed, { status, headers });
    if (isSmall) return;
    c.header('Content-Encoding', CODING);
    c.res.headers.delete('Content-Length');
  };
}

/** Whether a client takes gzip (RFC 9110 12.5.3); `gzip;q=0` says no. */
const takes = (accepted: string): boolean =>
  accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .some((each) => /^gzip(?:\s*;\s*q=(?!0(?:\.0*)?$).*)?$/.test(each));
