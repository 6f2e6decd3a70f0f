import { z } from 'zod';

/** GET /site/{domain}/{siteId}/host/{hostId}/log: what of it. */
export const logTailWishSchema = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).optional().meta({ description: 'Least level' }),
    match: z.string().max(200).optional().meta({ description: 'Only lines that contain this text' }),
  })
  .meta({ description: 'What of the log' });

const reason = z.strictObject({ reason: z.string() });
const event = <N extends string, S extends z.ZodType>(name: N, data: S) =>
  z.strictObject({ event: z.literal(name), data });

/** One event of `text/event-stream`: its name, and `data` as the JSON it is. */
export const tailedLogSchema = z
  .discriminatedUnion('event', [
    event(
      'lines',
      z.strictObject({
        lines: z
          .array(z.string())
          .meta({ description: 'JSON texts {time, level, text, …}, oldest first; may be none' }),
        gap: z
          .boolean()
          .meta({ description: 'Lines before these were missed: it wrote more than is asked for' }),
      }),
    ).meta({ description: 'What it wrote since the event before' }),
    event('trouble', reason).meta({ description: 'It did not answer; it is asked again' }),
    event('over', reason).meta({ description: 'The last event' }),
  ])
  .meta({ id: 'TailedLog', description: 'Event of a log that is followed' });

export type LogTailWish = z.output<typeof logTailWishSchema>;
export type TailedLog = z.output<typeof tailedLogSchema>;
