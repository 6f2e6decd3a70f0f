import { z } from 'zod';
import { pageQuerySchema } from '../provisioning/index.ts';
import { RECORD_KINDS, RECORD_RESULTS, sessionRecordSchema } from './record.ts';

const moment = z
  .string()
  .regex(/^\d{1,15}$/, { message: 'must be epoch milliseconds' })
  .transform(Number);
const text = (description: string, example: string) =>
  z.string().min(1).max(128).optional().meta({ description, example });

const filter = {
  siteId: text('Site', 'north'),
  hostId: text('Host', 'gw-1'),
  kind: z.enum(RECORD_KINDS).optional().meta({ description: 'Kind of session', example: 'alarm' }),
  deviceId: text('Begin of the id of the device', 'flat-12'),
  number: text('Begin of the calling or called number; for callers that see whole numbers', '+4670'),
  bridge: text('Id of the alarm bridge or service that took the session', 'scaip'),
  protocol: text('Alarm protocol', 'scaip'),
  result: z.enum(RECORD_RESULTS).optional().meta({ description: 'Result', example: 'failed' }),
  warning: text('Tolerated deviation', 'lateAnswer'),
  traceId: text('Trace', '0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11'),
};

/** All that is given must fit; for the stream. */
export const recordFilterSchema = z.strictObject(filter).meta({ description: 'Filter' });
export type RecordFilter = z.output<typeof recordFilterSchema>;

const range = {
  from: moment.optional().meta({ description: 'Begin, inclusive, epoch ms', example: '1795600000000' }),
  to: moment.optional().meta({ description: 'End, exclusive, epoch ms', example: '1795686400000' }),
};

/** GET /record/{domain}. Without a range and a trace: the last 24 h. */
export const recordListQuerySchema = pageQuerySchema
  .extend({
    ...range,
    ...filter,
    recording: z
      .enum(['true'])
      .optional()
      .meta({ description: 'Only sessions with a recording', example: 'true' }),
    text: text('Part of any field as the caller sees it; upper and lower case are one', 'north gate'),
    transcript: text(
      'Words that were said in one recording of the session, each the begin of a word; case and accents do not count. ' +
        'For callers that may listen to recordings',
      'fallen kitchen',
    ),
  })
  .meta({ description: 'Filter; without a range and a trace the last 24 hours' });
/** The search conditions; paging is separate. */
export type RecordSearch = Omit<z.output<typeof recordListQuerySchema>, 'limit' | 'nextToken' | 'transcript'>;

const time = z.number().int().nonnegative();

/** A record as people see it. */
export const shownRecordSchema = sessionRecordSchema
  .extend({
    siteId: z.string().meta({ description: 'Site' }),
    hostId: z.string().meta({ description: 'Host that wrote the record' }),
    receivedAt: time.meta({ description: 'First arrival at the control plane, epoch ms' }),
    estimated: z
      .boolean()
      .optional()
      .meta({ description: 'The clock of the host was wrong: `at` is the time of the arrival' }),
    masked: z.boolean().optional().meta({ description: 'Numbers are masked for this caller' }),
    erased: z.boolean().optional().meta({ description: 'The content was erased on request' }),
  })
  .meta({
    id: 'SessionRecord',
    description: 'Record of a session: alarm, call, message or refused attempts',
    example: {
      ...{
        v: 1,
        recordId: '01jd0000000000000000000000',
        kind: 'alarm',
        at: 1_795_680_000_000,
        result: 'done',
      },
      ...{ siteId: 'north', hostId: 'gw-1', receivedAt: 1_795_680_001_200 },
      ...{ traceId: '0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11', deviceId: 'flat-12', from: '+46701234567' },
      ...{ receiver: 'scaip', receiverName: 'SCAIP alarms', protocol: 'scaip' },
      times: { arrived: 1_795_680_000_000, stored: 1_795_680_000_004, ended: 1_795_680_000_310 },
      ...{ durationMs: 310, deliveries: { count: 1, failed: 0, lastStatus: 200 } },
    },
  });
export type ShownRecord = z.output<typeof shownRecordSchema>;

/** GET /record/{domain}/count. */
export const recordCountQuerySchema = z
  .strictObject({
    ...range,
    interval: z.enum(['hour']).default('hour').meta({ description: 'Length of a step', example: 'hour' }),
    siteId: filter.siteId,
  })
  .meta({ description: 'Range; without one the last 24 hours' });

export const recordCountSchema = z
  .strictObject({
    hour: time.meta({ description: 'Begin of the hour, epoch ms' }),
    kind: z.enum(RECORD_KINDS).meta({ description: 'Kind of session' }),
    result: z.enum(RECORD_RESULTS).meta({ description: 'Result' }),
    amount: z.number().int().meta({ description: 'Number of records' }),
  })
  .meta({
    id: 'RecordCount',
    description: 'Number of sessions that began in an hour',
    example: { hour: 1_795_680_000_000, kind: 'alarm', result: 'done', amount: 12 },
  });
export type RecordCount = z.output<typeof recordCountSchema>;

/** An event of GET /record/{domain}/stream. */
export const recordNewsSchema = z
  .strictObject({
    event: z.enum(['record', 'reset']).meta({ description: 'reset: records were missed; read the list' }),
    data: z.union([shownRecordSchema, z.strictObject({})]).meta({ description: 'Record; empty for reset' }),
  })
  .meta({ id: 'RecordNews', description: 'Event of the stream of records' });
