import { z } from 'zod';
import { labelField, PROFILES } from '../feed/index.ts';

/** Words of paths below /site/{domain} that cannot be sites. */
const RESERVED_SITE_IDS = ['stream', 'alarm', 'operation', 'maintenance'] as const;

const siteIdField = labelField.refine((id) => !RESERVED_SITE_IDS.some((word) => word === id), {
  message: `must not be ${RESERVED_SITE_IDS.join(', ')}`,
});

const profile = z
  .enum(PROFILES)
  .meta({ description: 'Supervision: a heartbeat every 10 (high), 30 (standard) or 120 s (economy)' });

const name = z.string().min(1).max(200).meta({ description: 'Name shown to people' });
const reachable = z.boolean().meta({ description: 'true: the cloud may call siteBaseUrl' });

/** POST /site/{domain}. */
export const siteRequestSchema = z
  .strictObject({
    siteId: siteIdField
      .optional()
      .meta({ description: 'Id of the site; absent: the platform generates one' }),
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
      .meta({ description: 'Failed conditions in short form: "DiskPressure;CfgBehind:3"' }),
    siteId: labelField,
    siteBaseUrl: z.string().optional(),
  })
  .meta({ id: 'Host', description: 'Host of a site' });

/** GET /site/{domain}. Not strict: it took no parameter before, and refused none. */
export const siteOverviewQuerySchema = z.object({
  counts: z.enum(['true', 'false']).optional().meta({
    description: 'true: numbers of hosts and sites; the lists are empty',
    example: 'true',
  }),
});

const amount = z.number().int().nonnegative();

const siteCountsSchema = z
  .strictObject({
    sites: amount.meta({ description: 'Number of sites' }),
    hosts: z
      .array(z.strictObject({ status: z.enum(HOST_STATUSES), amount }))
      .meta({ description: 'Number of hosts by state; a state without a host is absent' }),
  })
  .meta({ id: 'SiteCounts', description: 'Numbers of hosts and sites' });

/** GET /site/{domain}: hosts of all sites in one flat array, and the sites. */
export const siteOverviewSchema = z
  .strictObject({
    success: z.literal(true),
    data: z.strictObject({
      site: z.array(hostSchema),
      sites: z.array(siteSchema.omit({ reachable: true })),
      counts: siteCountsSchema.optional().meta({ description: 'Only with counts=true' }),
    }),
  })
  .meta({ id: 'SiteOverview', description: 'Hosts of all sites of the tenant' });

/** POST /site/{domain}/alarm/{alarmId}/note. */
export const alarmNoteRequestSchema = z
  .strictObject({ text: z.string().trim().min(1).max(1_000) })
  .meta({ id: 'AlarmNoteRequest', description: 'Comment on an alarm for readers' });

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
    late: z
      .literal(true)
      .optional()
      .meta({ description: 'true: the host reported the alarm after an outage' }),
    untold: z
      .literal(true)
      .optional()
      .meta({ description: 'true: a maintenance window suppressed the notification of the tenant' }),
    notes: z
      .array(z.strictObject({ at: z.number().int(), by: z.string(), text: z.string() }))
      .optional()
      .meta({ description: 'Comments of people, oldest first' }),
  })
  .meta({ id: 'SiteAlarm', description: 'Alarm of supervision' });

/** How one telling of an alarm went: proof that the tenant has it, or why not. */
const alarmDeliverySchema = z
  .strictObject({
    deliveryId: z.string().meta({ description: 'Idempotency-Key of the callback' }),
    says: z.enum(['raised', 'cleared']),
    state: z.enum(['waiting', 'done', 'dead']),
    attempts: z.number().int(),
    code: z.number().int().optional().meta({ description: 'HTTP status of the last answer' }),
    tookMs: z.number().int().optional().meta({ description: 'Duration of the last answer' }),
    createdAt: z.number().int(),
    settledAt: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Time of the acceptance or of the final failure' }),
    lastError: z.string().optional(),
  })
  .meta({ id: 'AlarmDelivery', description: 'Callback about an alarm' });

/** POST /site/{domain}/alarm/{alarmId}/resend. */
export const alarmResentSchema = z
  .strictObject({
    success: z.literal(true),
    taken: z.number().int().meta({ description: 'Number of deliveries that are retried' }),
  })
  .meta({ id: 'AlarmResent', description: 'Retry of failed deliveries' });

/** GET /site/{domain}/alarm/{alarmId}. */
export const alarmDetailSchema = z
  .strictObject({ ...siteAlarmSchema.shape, deliveries: z.array(alarmDeliverySchema) })
  .meta({ id: 'SiteAlarmDetail', description: 'Alarm of supervision with its deliveries to the tenant' });

export type SiteRequest = z.output<typeof siteRequestSchema>;
export type Site = z.output<typeof siteSchema>;
export type Host = z.output<typeof hostSchema>;
export type SiteAlarm = z.output<typeof siteAlarmSchema>;
export type AlarmDetail = z.output<typeof alarmDetailSchema>;
