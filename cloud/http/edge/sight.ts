import type { Hono } from 'hono';
import type { Sight } from '#shared/contract/feed/index.ts';
import type { Sites } from '../../site/index.ts';

interface SightEnv {
  Variables: { readonly whose: string };
}

/** GET /edge/v1/presence?host=<uid>: whether we see another host of the site, which does not hear it (`sightSchema`). */
export function addSight<E extends SightEnv>(app: Hono<E>, sites: Sites): void {
  app.get('/edge/v1/presence', async (c) => {
    const sight: Sight = { seen: await sites.sees(c.get('whose')) };
    return c.json(sight);
  });
}
