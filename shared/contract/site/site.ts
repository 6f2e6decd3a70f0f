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
const hostSchema = z
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

/** POST or PUT /site/{domain}/{siteId}/host/{hostId}: both network fields or none. */
export const commissionRequestSchema = z
  .strictObject({
    networkInterfaces: z
      .array(z.union([z.ipv4(), z.ipv6()]))
      .min(1)
      .max(16)
      .optional(),
    networkPrefixLength: z.number().int().min(1).max(128).optional(),
  })
  .refine((body) => (body.networkInterfaces === undefined) === (body.networkPrefixLength === undefined), {
    message: 'networkInterfaces and networkPrefixLength go together: send both or none',
    path: ['networkPrefixLength'],
  })
  .meta({ id: 'CommissionRequest', description: 'Network of a host without DHCP' });

/** POST or PUT …/host/{hostId}/drain. */
export const drainRequestSchema = z
  .strictObject({
    doNotReschedule: z.union([z.enum(['true', 'false']), z.boolean()]).optional(),
    deadline: z.number().int().min(0).max(86_400).optional().meta({ description: 'Seconds' }),
    force: z.boolean().optional(),
    reason: z.string().max(500).optional(),
  })
  .meta({ id: 'DrainRequest', description: 'How to drain' });

const OPERATION_STATES = ['pending', 'running', 'blocked', 'done', 'failed'] as const;

/** GET /site/{domain}/operation/{operationId}. */
export const operationSchema = z
  .strictObject({
    operationId: z.string(),
    type: z.string(),
    siteId: labelField,
    hostId: labelField,
    state: z.enum(OPERATION_STATES),
    steps: z.array(z.record(z.string(), z.unknown())),
    reason: z.string().optional(),
  })
  .meta({ id: 'SiteOperation', description: 'What a host goes through' });

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
export type CommissionRequest = z.output<typeof commissionRequestSchema>;
export type DrainRequest = z.output<typeof drainRequestSchema>;
export type SiteOperation = z.output<typeof operationSchema>;
export type SiteAlarm = z.output<typeof siteAlarmSchema>;
