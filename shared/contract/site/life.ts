import { z } from 'zod';
import { labelField, REMOTE_OPERATIONS, SCOPES } from '../feed/index.ts';
import { hostSchema } from './site.ts';

const reason = z.string().max(500).meta({ description: 'Reason for the audit log and for readers' });

/** POST or PUT /site/{domain}/{siteId}/host/{hostId}: both network fields or none; addresses of one family. */
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
  .refine(
    ({ networkInterfaces = [], networkPrefixLength = 0 }) =>
      networkPrefixLength <= 32 || networkInterfaces.every((address) => address.includes(':')),
    { message: 'must not be longer than an IPv4 address', path: ['networkPrefixLength'] },
  )
  .meta({ id: 'CommissionRequest', description: 'Network of a host without DHCP' });

/** POST or PUT …/host/{hostId}/drain. */
export const drainRequestSchema = z
  .strictObject({
    doNotReschedule: z
      .union([z.enum(['true', 'false']), z.boolean()])
      .optional()
      .meta({ description: 'Services pause and stay assigned to this host' }),
    deadline: z
      .number()
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'Seconds until people are notified that the host still serves; default 3600' }),
    force: z
      .boolean()
      .optional()
      .meta({ description: 'true: ordinary calls end at the deadline; alarm calls never do' }),
    reason: reason.optional(),
  })
  .meta({ id: 'DrainRequest', description: 'Options of the drain' });

/** DELETE …/host/{hostId}. */
export const removalQuerySchema = z
  .strictObject({
    force: z.enum(['true', 'false']).optional().meta({ description: 'true: also the last host of the site' }),
    reason: reason.optional(),
  })
  .refine(({ force, reason: why }) => force !== 'true' || (why !== undefined && why !== ''), {
    message: 'force needs a reason',
    path: ['reason'],
  })
  .meta({ description: 'Force and reason' });

/** POST …/host/{hostId}/reject, /quarantine, /release. */
export const lockRequestSchema = z
  .strictObject({ reason: reason.optional() })
  .meta({ id: 'LockRequest', description: 'Reason for a quarantine or a release' });

/** Words that a host says of itself; they stand in `hostLabels` beside those it was given. */
const SAID_BY_HOST = /^(?:role|ver|arch)=/;

/** PUT …/host/{hostId}/labels: all labels that the host is given, in the place of those it had. */
export const hostLabelsSchema = z
  .strictObject({
    labels: z
      .array(
        z
          .string()
          .min(1)
          .max(128)
          .refine((label) => !SAID_BY_HOST.test(label), {
            message: 'must not be role=, ver= or arch=, because the host reports these labels itself',
          }),
      )
      .max(50)
      .meta({
        description:
          'Target of the services of a drained host: svc=NAME takes these services only, room=b stays near',
      }),
  })
  .meta({ id: 'HostLabels', description: 'Labels for placement' });

/** `Location` names the same operation. */
export const startedSchema = z.strictObject({ success: z.literal(true), operationId: z.string() }).meta({
  id: 'SiteOperationStarted',
  description: 'Id of the running operation; also in the header Location',
});

const OPERATION_STATES = ['pending', 'running', 'blocked', 'done', 'failed'] as const;

/** GET /site/{domain}/operation/{operationId}. Times in epoch milliseconds. */
export const operationSchema = z
  .strictObject({
    operationId: z.string(),
    type: z.enum(['commission', 'drain', 'undrain', 'decommission']),
    siteId: labelField,
    hostId: labelField,
    state: z.enum(OPERATION_STATES).meta({ description: 'pending: the host was not reached yet' }),
    steps: z.array(z.record(z.string(), z.unknown())).meta({
      description:
        'Steps in order, each with step, state (waiting, running, blocked, done) and the remaining work',
    }),
    reason: z.string().optional(),
    deadline: z.number().int().optional(),
    createdAt: z.number().int(),
    endedAt: z.number().int().optional(),
  })
  .meta({ id: 'SiteOperation', description: 'Operation on a host' });

const conditionSchema = z
  .strictObject({
    status: z.boolean(),
    since: z.number().int().meta({ description: 'Epoch ms' }),
    reason: z.string(),
    message: z.string(),
  })
  .meta({ id: 'HostCondition', description: 'Condition of a host, with its status, begin and reason' });

const scopes = <S extends z.ZodType>(value: S) =>
  z.strictObject({ platform: value, tenant: value, site: value, host: value });
const anyOf = z.record(z.string(), z.unknown());

const selfTestSchema = z
  .strictObject({
    at: z.string().meta({ description: 'Time of the record, ISO 8601' }),
    release: z.string(),
    hostId: z.string(),
    siteId: z.string().optional(),
    passed: z.boolean().meta({ description: 'true: no point failed; some may not have been measured' }),
    points: z.array(
      z.strictObject({
        id: z.string(),
        verdict: z.enum(['ok', 'warning', 'failure', 'skipped']),
        found: z.string().meta({ description: 'Measured value, or cause of the failure' }),
        code: z.string().optional().meta({ description: 'Remedy, or reason for skipping the point' }),
        ms: z.number(),
      }),
    ),
  })
  .meta({ id: 'HostSelfTest', description: 'Acceptance record of a host' });

/** GET /site/{domain}/{siteId}/host/{hostId}: everything known of a host, its three axes apart. */
export const hostDetailSchema = z
  .strictObject({
    ...hostSchema.shape,
    uid: z.string(),
    lifecycle: z.string().meta({ description: 'Intent' }),
    lifecycleSince: z.number().int(),
    connectivity: z.string().meta({ description: 'Observed state' }),
    connectivitySince: z.number().int(),
    lastSeen: z.number().int().optional(),
    conditions: z.record(z.string(), conditionSchema),
    version: z.string(),
    serial: z.string().optional(),
    keyFingerprint: z.string().optional().meta({
      description:
        'Fingerprint of its key as the machine shows it at the enrolment; absent before it has a key',
    }),
    labels: z
      .array(z.string())
      .meta({ description: 'Assigned labels; hostLabels also has the labels that the host reports' }),
    network: z
      .strictObject({ networkInterfaces: z.array(z.string()), networkPrefixLength: z.number() })
      .optional(),
    certificate: z.strictObject({ expiresAt: z.number().int().optional(), generation: z.number().int() }),
    revisions: z.strictObject({
      wanted: scopes(z.number().int()),
      applied: scopes(z.number().int()),
      lastKnownGood: z
        .boolean()
        .optional()
        .meta({ description: 'The applied configuration has passed the health gate of the host' }),
      kept: scopes(z.number().int())
        .optional()
        .meta({ description: 'Last known good revisions, to which the host returns' }),
      refused: z
        .array(
          z.strictObject({
            scope: z.string(),
            revision: z.number().int(),
            at: z.number().int().optional(),
            errors: z.array(z.strictObject({ code: z.string(), path: z.string(), msg: z.string() })),
          }),
        )
        .meta({
          description: 'Refused revisions; they are not offered again before a newer revision or a resync',
        }),
    }),
    overrides: z
      .array(anyOf)
      .meta({ description: 'Local overrides; drift: a later revision has another value' }),
    measured: z.record(z.string(), z.number()),
    services: z.record(z.string(), z.string()),
    peers: z.record(z.string(), z.string()),
    epoch: z.number().int().optional().meta({ description: 'Epoch of the site on this host' }),
    clockSynchronised: z
      .boolean()
      .optional()
      .meta({ description: 'The clock of the host has a time source' }),
    contact: z
      .strictObject({
        unstable: z.boolean(),
        losses: z.number().int().meta({ description: 'Losses of contact since the last stable phase' }),
        suppressed: z
          .number()
          .int()
          .meta({ description: 'Losses without notification, because the host is unstable' }),
      })
      .optional()
      .meta({ description: 'Stability of the contact; it survives a restart of the platform' }),
    outbox: z.record(z.string(), z.number()),
    calls: z.number().int().optional(),
    roles: z.array(z.string()),
    abilities: z.array(z.string()),
    operation: operationSchema.optional().meta({ description: 'Running operation, or the last one' }),
    selfTest: selfTestSchema.optional().meta({ description: 'Last acceptance record of the host' }),
  })
  .meta({ id: 'HostDetail', description: 'All details of a host' });

/** GET …/host/{hostId}/pending: what changed since the revisions that the host has applied; at most 1,000. */
export const pendingChangeSchema = z
  .strictObject({
    scope: z.enum(SCOPES),
    revision: z.number().int(),
    entity: z.string(),
    id: z.string(),
    op: z.enum(['put', 'delete']),
    at: z.number().int(),
  })
  .meta({ id: 'PendingChange', description: 'Change that a host has not applied' });

/** GET …/host/{hostId}/diff: the same by entity, with what it was and would be; at most 50, what was refused first. */
export const changedEntitySchema = z
  .strictObject({
    ...pendingChangeSchema.shape,
    refused: z
      .boolean()
      .meta({ description: 'true: the host named this entity when it refused the revision' }),
    hidden: z.literal(true).optional().meta({ description: 'true: the entity has keys and is never shown' }),
    before: anyOf.optional().meta({
      description:
        'Entity on the host with masked secrets; absent: the entity is new, or its former state is not stored any more',
    }),
    after: anyOf
      .optional()
      .meta({ description: 'Entity after the change with masked secrets; absent: the entity is deleted' }),
  })
  .meta({ id: 'ChangedEntity', description: 'Applied and offered configuration of a host' });

/** POST …/host/{hostId}/rpc. Chosen: operations of control plane 3.5 that a person may start. */
export const remoteAskSchema = z
  .strictObject({
    op: z
      .enum(REMOTE_OPERATIONS)
      .exclude(['api.relay', 'rebirth'])
      .meta({ description: 'Operation that the host is asked for' }),
    args: anyOf.default({}),
  })
  .meta({ id: 'RemoteAsk', description: 'Request to a host over its management connection' });

export const remoteAnswerSchema = z
  .strictObject({ success: z.literal(true), data: anyOf })
  .meta({ id: 'RemoteAnswer', description: 'Answer of the host' });

/** POST …/host/{hostId}/release: the machine enrols again by this code. */
export const releaseAnswerSchema = z
  .strictObject({
    success: z.literal(true),
    claimCode: z.string().meta({ description: 'Code for typing' }),
    longCode: z.string().meta({ description: 'Code of the same claim for a QR code' }),
    expiresAt: z.number().int(),
  })
  .meta({
    id: 'HostReleased',
    description: 'Claim code with which the machine enrols again under its old name',
  });

export type CommissionRequest = z.output<typeof commissionRequestSchema>;
export type DrainRequest = z.output<typeof drainRequestSchema>;
export type SiteOperation = z.output<typeof operationSchema>;
export type HostDetail = z.output<typeof hostDetailSchema>;
export type ChangedEntity = z.output<typeof changedEntitySchema>;
export type PendingChange = z.output<typeof pendingChangeSchema>;
export type RemoteAsk = z.output<typeof remoteAskSchema>;
