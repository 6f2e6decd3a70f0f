import type { HonoRequest } from 'hono';
import { parseWithoutNul } from '#shared/contract/nul.ts';

/**
 * The JSON body of a host.
 *
 * @returns undefined for a body that is no JSON.
 */
export const bodyOf = (request: Pick<HonoRequest, 'text'>): Promise<unknown> =>
  request
    .text()
    .then(parseWithoutNul)
    .catch(() => undefined);
