import { z } from 'zod';

/** Answer of `GET /edge/v1/presence?host=<uid>` to another host of the same site. */
export const sightSchema = z.object({
  /** False: the platform holds it for offline, or has never heard of it. A host in doubt is still seen. */
  seen: z.boolean(),
});

export type Sight = z.output<typeof sightSchema>;
