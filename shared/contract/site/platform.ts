import { z } from 'zod';

const findingSchema = z
  .strictObject({
    name: z.string().meta({ description: 'What was tried' }),
    ok: z.boolean(),
    needed: z.boolean().meta({ description: 'false: a fact that nothing relies on' }),
    sentence: z.string().meta({ description: 'What was seen, and what to do where it is not well' }),
  })
  .meta({ id: 'BrokerFinding', description: 'One thing that the broker does or does not' });

/** GET /platform/broker, POST /platform/broker/check. Times in epoch milliseconds. */
export const brokerViewSchema = z
  .strictObject({
    mode: z.enum(['embedded', 'external']),
    url: z.string().meta({ description: 'As hosts are told' }),
    shards: z.strictObject({ owned: z.number().int(), down: z.number().int() }),
    hosts: z.number().int().meta({ description: 'Hosts under supervision' }),
    advice: z.string().optional().meta({ description: 'What should be changed, though it still works' }),
    checkedAt: z.number().int().optional(),
    fault: z.string().optional().meta({ description: 'Why the last check could not be made' }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'BrokerView', description: 'The broker of the deployment, as it was tried last' });

/** GET /platform/alarm: what concerns the deployment and no single tenant. */
export const platformTroubleSchema = z
  .strictObject({
    alarmId: z.string(),
    error: z.enum(['controlPlaneDegraded', 'unknownHost', 'brokerUnreachable', 'brokerTooSmall']),
    subject: z.string().meta({ description: 'What it is about: a shard, an address; empty = everything' }),
    status: z.enum(['active', 'cleared', 'noted']).meta({ description: 'noted = it has no end' }),
    raisedAt: z.number().int(),
    clearedAt: z.number().int().optional(),
    message: z.string(),
  })
  .meta({ id: 'DeploymentAlarm', description: 'Alarm of the deployment itself' });

export type BrokerView = z.output<typeof brokerViewSchema>;
export type PlatformTrouble = z.output<typeof platformTroubleSchema>;
