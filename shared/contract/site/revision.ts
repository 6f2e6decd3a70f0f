import { z } from 'zod';

const revisionHostSchema = z.strictObject({
  siteId: z.string(),
  hostId: z.string(),
  applied: z.number().int().meta({ description: 'Revision of the configuration in force at the host' }),
  reached: z.boolean().meta({ description: 'The host has the revision, or a later one' }),
});

/** GET /site/{domain}/revision/{revision}: whether the sites have what a write has changed. */
export const revisionReachSchema = z
  .strictObject({
    revision: z.number().int(),
    reached: z.boolean().meta({ description: 'Every active host has the revision; true also without hosts' }),
    hosts: z.array(revisionHostSchema),
  })
  .meta({
    id: 'RevisionReach',
    description: 'Hosts that have a revision of the configuration in force',
    example: {
      revision: 17,
      reached: true,
      hosts: [{ siteId: 'north', hostId: 'gw-1', applied: 17, reached: true }],
    },
  });

export type RevisionHost = z.output<typeof revisionHostSchema>;
export type RevisionReach = z.output<typeof revisionReachSchema>;
