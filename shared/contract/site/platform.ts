import { z } from 'zod';

const findingSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Checked property' }),
    ok: z.boolean(),
    needed: z.boolean().meta({ description: 'false: Carillon does not need this property' }),
    sentence: z.string().meta({ description: 'Result, and the remedy for a failure' }),
  })
  .meta({ id: 'BrokerFinding', description: 'Result of one check of the broker' });

/** GET /platform/broker, POST /platform/broker/check. Times in epoch milliseconds. */
export const brokerViewSchema = z
  .strictObject({
    mode: z.enum(['embedded', 'external']),
    url: z.string().meta({ description: 'Address of the broker for hosts' }),
    brokers: z
      .array(
        z.strictObject({
          url: z.string().meta({ description: 'Address without user name and password' }),
          shards: z.number().int().meta({ description: 'Shards of this replica that it serves' }),
        }),
      )
      .optional()
      .meta({ description: 'Every external broker, where there are several' }),
    shards: z.strictObject({ owned: z.number().int(), down: z.number().int() }),
    hosts: z.number().int().meta({ description: 'Hosts under supervision' }),
    advice: z.string().optional().meta({ description: 'Recommended change of a working setting' }),
    checkedAt: z.number().int().optional(),
    fault: z.string().optional().meta({ description: 'Cause of a failed check' }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'BrokerView', description: 'Broker of the deployment with its last check' });

/** GET /platform/replica: the control planes of the deployment. Times in epoch milliseconds of the clock of the database. */
export const replicaViewSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Name of the replica, a new one for each start' }),
    live: z.boolean().meta({ description: 'false: its lease has ended, and others take its shards' }),
    answering: z.boolean().meta({ description: 'This replica has answered the request' }),
    version: z.string().optional().meta({ description: 'Version of its program' }),
    machine: z.string().optional().meta({ description: 'Name of the machine' }),
    startedAt: z.number().int(),
    lastSeenAt: z.number().int().meta({ description: 'Last renewal of its lease' }),
    leaseUntil: z.number().int().meta({ description: 'End of its lease, unless it is renewed' }),
    shards: z.array(z.string()).meta({ description: 'Shards whose hosts it observes' }),
  })
  .meta({ id: 'Replica', description: 'One process of the control plane' });

/** GET /platform/alarm: what concerns the deployment and no single tenant. */
export const platformTroubleSchema = z
  .strictObject({
    alarmId: z.string(),
    error: z.enum([
      'controlPlaneDegraded',
      'unknownHost',
      'brokerUnreachable',
      'brokerTooSmall',
      'credentialUnusable',
      'storageDamaged',
    ]),
    subject: z
      .string()
      .meta({ description: 'Subject: a shard, an address, a tenant or a file; empty: the whole deployment' }),
    status: z.enum(['active', 'cleared', 'noted']).meta({ description: 'noted: the alarm has no end' }),
    raisedAt: z.number().int(),
    clearedAt: z.number().int().optional(),
    message: z.string(),
  })
  .meta({ id: 'DeploymentAlarm', description: 'Alarm of the deployment itself' });

export type ReplicaShown = z.output<typeof replicaViewSchema>;
export type BrokerView = z.output<typeof brokerViewSchema>;
export type PlatformTrouble = z.output<typeof platformTroubleSchema>;
