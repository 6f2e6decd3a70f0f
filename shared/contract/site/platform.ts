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
    shards: z.strictObject({ owned: z.number().int(), down: z.number().int() }),
    hosts: z.number().int().meta({ description: 'Hosts under supervision' }),
    advice: z.string().optional().meta({ description: 'Recommended change of a working setting' }),
    checkedAt: z.number().int().optional(),
    fault: z.string().optional().meta({ description: 'Cause of a failed check' }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'BrokerView', description: 'Broker of the deployment with its last check' });

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

export type BrokerView = z.output<typeof brokerViewSchema>;
export type PlatformTrouble = z.output<typeof platformTroubleSchema>;
