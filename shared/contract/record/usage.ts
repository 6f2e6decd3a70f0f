import { z } from 'zod';
import { pageQuerySchema } from '../provisioning/index.ts';
import { time, timeText } from './field.ts';

const USAGE_INTERVALS = ['hour', 'day', 'month'] as const;

export type UsageInterval = (typeof USAGE_INTERVALS)[number];

/** GET /provisioning/usage/{domain}. Intervals begin at full hours, days and months of UTC. */
export const usageQuerySchema = pageQuerySchema
  .extend({
    from: timeText
      .optional()
      .meta({ description: 'Moment in the first interval, epoch ms; default: 30 days before to' }),
    to: timeText.optional().meta({ description: 'End, exclusive, epoch ms; default: now' }),
    interval: z.enum(USAGE_INTERVALS).default('day').meta({ description: 'Length of an entry' }),
  })
  .meta({ description: 'Time range' });

const amount = z.number().nonnegative();

export const usageEntrySchema = z
  .strictObject({
    from: time.meta({ description: 'Begin of the interval, epoch ms' }),
    to: time.meta({ description: 'End of the interval, exclusive, epoch ms' }),
    calls: amount.meta({ description: 'Calls that ended' }),
    minutes: amount.meta({ description: 'Duration of these calls in minutes with one decimal' }),
    alarms: z
      .array(
        z.strictObject({
          protocol: z.string().meta({ description: 'Protocol of the alarms' }),
          result: z.string().meta({ description: 'Result of the alarms' }),
          count: amount.meta({ description: 'Number of alarms' }),
        }),
      )
      .meta({ description: 'Alarm events by protocol and result' }),
    recordings: amount.meta({ description: 'Recordings made' }),
    callbacks: amount.meta({ description: 'Callback requests' }),
  })
  .meta({ id: 'UsageEntry', description: 'Usage in an interval' });

export type UsageEntry = z.output<typeof usageEntrySchema>;
