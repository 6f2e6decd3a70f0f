import { z } from 'zod';
import { alarmBridgeRequestSchema } from '../provisioning/index.ts';
import { HISTORY_EFFECTS } from './host-trial.ts';

const successField = z.literal(true).meta({ description: 'The request was carried out', example: true });

const ID = '01j9z3n6t2v4q8w5x7y1b3c5d7';
const OTHER = '01j9z3n6t2v4q8w5x7y1b3c5d8';
const AT = 1_795_680_000_000;

const daysField = z.number().int().min(1).max(31).default(31).meta({
  description: 'Alarms of so many days until now, 1 to 31',
  example: 31,
  'x-unit': 'days',
});
const countOf = (description: string, example: number) =>
  z.number().int().nonnegative().meta({ description, example, 'x-unit': 'alarms' });
const timeOf = (description: string) =>
  z.number().int().nonnegative().meta({ description, example: AT, 'x-unit': 'epoch ms' });

export const historyTrialRequestSchema = z
  .strictObject({
    alarmbridges: z
      .array(z.string())
      .max(1000)
      .optional()
      .meta({
        description: 'Ids of drafts of alarm bridges; absent: all of them',
        example: [ID],
      }),
    days: daysField,
  })
  .meta({ id: 'HistoryTrialRequest', description: 'Drafts that are tried together', example: { days: 31 } });

export const bridgeHistoryTrialRequestSchema = z
  .strictObject({
    alarmbridge: alarmBridgeRequestSchema.optional(),
    days: daysField,
  })
  .meta({
    id: 'BridgeHistoryTrialRequest',
    description: 'An alarm bridge as it would be stored; without one its draft is tried',
    example: {
      alarmbridge: { protocol: 'scaip', name: 'SCAIP alarms', destinationMatch: '^scaip-?[0-9]*$' },
      days: 31,
    },
  });

const namedReceiver = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the alarm bridge', example: ID }),
    name: z.string().meta({ description: 'Name of the alarm bridge', example: 'SCAIP alarms' }),
  })
  .meta({ id: 'TriedReceiver', description: 'Alarm bridge that takes an alarm' });

const hostField = {
  siteId: z.string().meta({ description: 'Site', example: 'north' }),
  hostId: z.string().meta({ description: 'Host', example: 'gw1' }),
};

const differenceSchema = z
  .strictObject({
    effect: z.enum(HISTORY_EFFECTS).meta({
      description:
        'refused: no receiver takes it; dropped: the event map drops an event that the application gets today; receiver: another receiver takes it; changed: the same receiver takes it and its callback differs; taken: a receiver takes it and none does without the draft',
      example: 'receiver',
    }),
    before: namedReceiver.optional(),
    after: namedReceiver.optional(),
    fields: z.array(z.string()).meta({
      description:
        'Members that differ, without their values: of the callback (path, headers, body), callbackBaseUrl, alarmEventMapperId, device, or protocol where the other receiver expects another one',
      example: ['body.alarmEvent.priority'],
    }),
    alarms: countOf('Number of alarms', 3),
    examples: z
      .array(
        z.strictObject({
          traceId: z.string().meta({ description: 'Trace of the alarm', example: ID }),
          at: timeOf('Arrival'),
        }),
      )
      .meta({ description: 'The newest of them, at most 10', example: [{ traceId: ID, at: AT }] }),
  })
  .meta({ id: 'HistoryTrialDifference', description: 'Alarms with the same difference' });

export const historyTrialAnswerSchema = z
  .strictObject({
    success: successField,
    from: timeOf('Alarms since then were looked for'),
    to: timeOf('Alarms until then were looked for'),
    tried: countOf('Number of alarms that were tried; one that two hosts have is counted once', 412),
    untried: countOf('Number of alarms whose arrival is not stored in full', 0),
    cut: z.boolean().meta({ description: 'true: a host has more alarms than it looks at', example: false }),
    differences: z.array(differenceSchema).meta({ description: 'The gravest first', example: [] }),
    others: countOf('Number of alarms with a difference beyond the first 100 kinds of each host', 0),
    hosts: z
      .array(
        z.strictObject({
          ...hostField,
          tried: countOf('Number of alarms that this host tried', 412),
          revision: z.number().int().nonnegative().meta({
            description: 'Revision of the configuration that the draft was compared with',
            example: 17,
          }),
        }),
      )
      .meta({ description: 'Hosts that tried the draft', example: [] }),
    missingHosts: z
      .array(
        z.strictObject({
          ...hostField,
          reason: z.string().meta({ description: 'Why', example: 'it has no management connection' }),
        }),
      )
      .meta({ description: 'Hosts that gave no answer; their alarms are not counted', example: [] }),
    olderHosts: z.array(z.strictObject(hostField)).meta({
      description: 'Hosts whose release cannot try a draft; their alarms are not counted',
      example: [],
    }),
  })
  .meta({
    id: 'HistoryTrialAnswer',
    description: 'The effect of a draft on the alarms of the last days',
    example: {
      success: true,
      from: 1_793_001_600_000,
      to: AT,
      tried: 412,
      untried: 0,
      cut: false,
      differences: [
        {
          effect: 'receiver',
          before: { id: ID, name: 'Day centre' },
          after: { id: OTHER, name: 'Night centre' },
          fields: [],
          alarms: 3,
          examples: [{ traceId: ID, at: AT }],
        },
      ],
      others: 0,
      hosts: [{ siteId: 'north', hostId: 'gw1', tried: 412, revision: 17 }],
      missingHosts: [],
      olderHosts: [],
    },
  });

export type HistoryTrialRequest = z.output<typeof historyTrialRequestSchema>;
export type BridgeHistoryTrialRequest = z.output<typeof bridgeHistoryTrialRequestSchema>;
export type HistoryTrialAnswer = z.output<typeof historyTrialAnswerSchema>;
