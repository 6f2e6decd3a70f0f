import { z } from 'zod';
import { LOG_LEVELS } from '../../log.ts';
import { pageQuerySchema } from '../provisioning/index.ts';
import { time, timeText } from './field.ts';

const text = (description: string) => z.string().min(1).max(256).optional().meta({ description });

/** GET /provisioning/log/{domain}: all that is given must fit. */
export const logQuerySchema = pageQuerySchema
  .extend({
    from: timeText.optional().meta({ description: 'Begin, inclusive, epoch ms; default: the oldest event' }),
    to: timeText.optional().meta({ description: 'End, exclusive, epoch ms; default: no end' }),
    traceId: text('Trace of a session'),
    sessionId: text('Session'),
    deviceId: text('Provisioned id of the device'),
    number: text('Calling or called number, or user part of an address'),
    level: z.enum(LOG_LEVELS).optional().meta({ description: 'Lowest level' }),
    order: z
      .enum(['oldest', 'newest'])
      .optional()
      .meta({ description: 'Event that comes first; default: oldest', example: 'newest' }),
  })
  .meta({ description: 'Filter and order' });

export const logEntrySchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the event' }),
    at: time.meta({ description: 'Time of the event by the clock of the host, epoch ms' }),
    receivedAt: time.meta({ description: 'Time of receipt by the control plane, epoch ms' }),
    siteId: z.string().meta({ description: 'Site' }),
    hostId: z.string().optional().meta({ description: 'Host' }),
    lane: z.string().meta({ description: 'alarm, svc, audit or usage' }),
    type: z.string().meta({ description: 'Kind of event' }),
    level: z.enum(LOG_LEVELS).meta({ description: 'Severity' }),
    late: z.boolean().meta({ description: 'The event was sent after an outage' }),
    estimated: z
      .boolean()
      .optional()
      .meta({ description: 'The clock of the host had no time source: `at` is an estimate' }),
    traceId: z.string().optional().meta({ description: 'Trace of the session' }),
    sessionId: z.string().optional().meta({ description: 'Session' }),
    deviceId: z.string().optional().meta({ description: 'Device' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'Details from the host' }),
  })
  .meta({ id: 'LogEntry', description: 'Event at a site' });

export type LogEntry = z.output<typeof logEntrySchema>;
/** The search conditions; paging is separate. */
export type LogSearch = Omit<z.output<typeof logQuerySchema>, 'limit' | 'nextToken'>;
