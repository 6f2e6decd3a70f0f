import { z } from 'zod';
import { labelField, PROFILES } from '../feed/index.ts';
import { hostSchema } from './site.ts';

const time = z.number().int();

/** A host in the drawing of its site: what it has, and whom it sees. */
const nodeSchema = z
  .strictObject({
    hostId: labelField,
    status: hostSchema.shape.status,
    lifecycle: z.string().meta({ description: 'Intent' }),
    connectivity: z.string().meta({ description: 'Observed state of its connection to the control plane' }),
    connectivitySince: time,
    speaks: z.boolean().meta({
      description: 'true: the host is heard now; the view of a silent host on others is not used',
    }),
    lastSeen: time.optional(),
    roles: z.array(z.string()).meta({
      description:
        'Last reported roles: vip: the host has the address of the site, leader: it leads the site',
    }),
    epoch: time.optional().meta({ description: 'Epoch of the site on this host' }),
    calls: time.optional(),
    services: z.record(z.string(), z.string()),
    peers: z.record(z.string(), z.string()).meta({
      description:
        'hostId of each other host with its state in the view of this host: ok, lost, dead, unknown',
    }),
    address: z.string().optional().meta({ description: 'Base URL of its runtime API for customers' }),
  })
  .meta({ id: 'SiteNode', description: 'Host of a site with its view of the others' });

/** GET /site/{domain}/{siteId}/topology. */
export const siteTopologySchema = z
  .strictObject({
    siteId: labelField,
    name: z.string().optional(),
    profile: z.enum(PROFILES),
    epoch: time.meta({ description: 'Highest epoch that a host has reported; 0: none' }),
    vip: z.array(labelField).meta({
      description:
        'Hosts that have the address: none (the site has no address, or no host has it), one, or two (a fault)',
    }),
    leader: z
      .array(labelField)
      .meta({ description: 'Hosts that lead the site; two: they do not see each other' }),
    hosts: z.array(nodeSchema),
  })
  .meta({ id: 'SiteTopology', description: 'Hosts of a site with their roles and their view of each other' });

/** GET /site/{domain}/{siteId}/history: one change of roles, as the host that saw it reported it. */
export const siteTurnSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the event' }),
    at: time.meta({ description: 'Epoch ms, by the clock of the host' }),
    estimated: z
      .boolean()
      .optional()
      .meta({ description: 'true: the clock of the host had no time source, and `at` is an estimate' }),
    late: z.boolean().meta({ description: 'true: the event was sent after an outage' }),
    hostId: z
      .string()
      .optional()
      .meta({ description: 'Host that reported the event; absent: the host does not exist any more' }),
    epoch: time.meta({ description: 'Epoch of the site at the event' }),
    roles: z.array(z.string()).meta({ description: 'Roles of the host after the event' }),
    gained: z.array(z.string()),
    lost: z.array(z.string()),
    cause: z.string().meta({
      description:
        'started, hostLost, handedOver, preferred, notServing, takenBy, hostBack, other; newer hosts may say more',
    }),
    of: z.string().optional().meta({ description: 'Other host that the cause concerns' }),
    took: z.array(z.string()).meta({ description: 'Hosts whose undelivered alarms it took over' }),
    faults: z.array(z.string()).meta({ description: 'Reason why the host could not serve' }),
  })
  .meta({ id: 'SiteTurn', description: 'Change of roles among the hosts of a site' });

/** GET /site/{domain}/{siteId}/host/{hostId}/connectivity: one change of what the control plane observed of a host. */
export const hostConnectivitySchema = z
  .strictObject({
    at: time.meta({ description: 'Epoch ms, by the clock of the control plane' }),
    before: z.string().meta({ description: 'never, online, suspect, offline, unstable' }),
    after: z.string().meta({ description: 'never, online, suspect, offline, unstable' }),
  })
  .meta({
    id: 'HostConnectivity',
    description:
      'Change of the connectivity of a host. The changes of 30 days are kept, at most 2,000 of a host. The oldest one has the same state before and after where nothing earlier is known.',
    example: { at: 1_770_000_000_000, before: 'online', after: 'suspect' },
  });

export type HostConnectivity = z.output<typeof hostConnectivitySchema>;
export type SiteTopology = z.output<typeof siteTopologySchema>;
export type SiteTurn = z.output<typeof siteTurnSchema>;
