import { z } from 'zod';
import { labelField, PROFILES } from '../feed/index.ts';

/** Words of paths below /site/{domain} that cannot be sites. */
const RESERVED_SITE_IDS = ['stream', 'alarm', 'operation'] as const;

const siteIdField = labelField.refine((id) => !RESERVED_SITE_IDS.some((word) => word === id), {
  message: `must not be ${RESERVED_SITE_IDS.join(', ')}`,
});

const profile = z
  .enum(PROFILES)
  .meta({ description: 'Supervision: a heartbeat every 10 (high), 30 (standard) or 120 s (economy)' });

const name = z.string().min(1).max(200).meta({ description: 'Name shown to people' });
const reachable = z.boolean().meta({ description: 'The cloud may call siteBaseUrl' });

/** POST /site/{domain}. */
export const siteRequestSchema = z
  .strictObject({
    siteId: siteIdField.optional().meta({ description: 'Absent: made by the platform' }),
    name: name.optional(),
    profile: profile.default('standard'),
    reachable: reachable.default(false),
  })
  .meta({ id: 'SiteRequest', description: 'Site to create' });

export const siteSchema = z
  .strictObject({ siteId: labelField, name: name.optional(), profile, reachable })
  .meta({ id: 'Site', description: 'Site of a tenant' });

export const siteCreatedSchema = z
  .strictObject({ success: z.literal(true), siteId: labelField })
  .meta({ id: 'SiteCreated', description: 'The site' });

const HOST_STATUSES = [
  'commissioning',
  'online',
  'degraded',
  'unstable',
  'offline',
  'draining',
  'drained',
  'quarantined',
  'decommissioned',
] as const;

export type HostStatus = (typeof HOST_STATUSES)[number];

/** Host of a site (media and sites document 2.5), with its site. */
export const hostSchema = z
  .strictObject({
    hostName: z.string(),
    hostId: labelField,
    hostLabels: z.array(z.string()),
    status: z.enum(HOST_STATUSES),
    vendorSpecificDistressString: z
      .string()
      .meta({ description: 'What is wrong, short: "DiskPressure;CfgBehind:3"' }),
    siteId: labelField,
    siteBaseUrl: z.string().optional(),
  })
  .meta({ id: 'Host', description: 'Host of a site' });

/** GET /site/{domain}: hosts of all sites in one flat array, and the sites. */
export const siteOverviewSchema = z
  .strictObject({
    success: z.literal(true),
    data: z.strictObject({ site: z.array(hostSchema), sites: z.array(siteSchema.omit({ reachable: true })) }),
  })
  .meta({ id: 'SiteOverview', description: 'Hosts of all sites of the tenant' });

/** GET /site/{domain}/alarm. */
export const siteAlarmSchema = z
  .strictObject({
    alarmId: z.string(),
    status: z.enum(['active', 'acknowledged', 'cleared']),
    raisedAt: z.number().int(),
    clearedAt: z.number().int().optional(),
    acknowledgedAt: z.number().int().optional(),
    error: z.string(),
    errorDetails: z.record(z.string(), z.unknown()),
    siteId: labelField,
    hostId: labelField.optional(),
  })
  .meta({ id: 'SiteAlarm', description: 'Alarm of supervision' });

export type SiteRequest = z.output<typeof siteRequestSchema>;
export type Site = z.output<typeof siteSchema>;
export type Host = z.output<typeof hostSchema>;
export type SiteAlarm = z.output<typeof siteAlarmSchema>;
