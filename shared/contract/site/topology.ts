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
    connectivity: z.string().meta({ description: 'What is observed of its way to the control plane' }),
    connectivitySince: time,
    speaks: z.boolean().meta({
      description: 'It was heard just now; of a silent one, what it said of others counts no more',
    }),
    lastSeen: time.optional(),
    roles: z.array(z.string()).meta({
      description: 'As it said last: vip = it holds the address of the site, leader = it speaks for it',
    }),
    epoch: time.optional().meta({ description: 'Term of the site, as it has it' }),
    calls: time.optional(),
    services: z.record(z.string(), z.string()),
    peers: z
      .record(z.string(), z.string())
      .meta({ description: 'hostId of each other host and how it sees it: ok, lost, dead, unknown' }),
    address: z.string().optional().meta({ description: 'Where customers reach its runtime API' }),
  })
  .meta({ id: 'SiteNode', description: 'Host of a site, and whom it sees' });

/** GET /site/{domain}/{siteId}/topology. */
export const siteTopologySchema = z
  .strictObject({
    siteId: labelField,
    name: z.string().optional(),
    profile: z.enum(PROFILES),
    epoch: time.meta({ description: 'Highest term that a host has told; 0 = none has' }),
    vip: z.array(labelField).meta({
      description: 'Hosts that hold the address: none (no such address, or nobody), one, two = a fault',
    }),
    leader: z
      .array(labelField)
      .meta({ description: 'Hosts that speak for the site; two = they do not see each other' }),
    hosts: z.array(nodeSchema),
  })
  .meta({ id: 'SiteTopology', description: 'Hosts of a site, who has which role and who sees whom' });

/** GET /site/{domain}/{siteId}/history: one change of roles, as the host that saw it told it. */
export const siteTurnSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Of the event' }),
    at: time.meta({ description: 'Epoch ms, by the clock of the host' }),
    estimated: z.boolean().optional().meta({ description: 'Its clock had no source: `at` is worked out' }),
    late: z.boolean().meta({ description: 'It came after an outage' }),
    hostId: z.string().optional().meta({ description: 'Who told it; absent: a host that is no more' }),
    epoch: time.meta({ description: 'Term of the site then' }),
    roles: z.array(z.string()).meta({ description: 'All that the host had from then on' }),
    gained: z.array(z.string()),
    lost: z.array(z.string()),
    cause: z.string().meta({
      description:
        'started, hostLost, handedOver, preferred, notServing, takenBy, hostBack, other; newer hosts may say more',
    }),
    of: z.string().optional().meta({ description: 'The other host that the cause is about' }),
    took: z.array(z.string()).meta({ description: 'Hosts whose undelivered alarms it took over' }),
    faults: z.array(z.string()).meta({ description: 'Why it could not serve' }),
  })
  .meta({ id: 'SiteTurn', description: 'Change of roles among the hosts of a site' });

export type SiteTopology = z.output<typeof siteTopologySchema>;
export type SiteTurn = z.output<typeof siteTurnSchema>;
