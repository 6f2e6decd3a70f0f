import { z } from 'zod';

/** GET /site/{domain}/{siteId}/host/{hostId}/log: what of it. */
export const logTailWishSchema = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).optional().meta({ description: 'Lowest level' }),
    match: z.string().max(200).optional().meta({ description: 'Only lines that contain this text' }),
  })
  .meta({ description: 'Filter of the log' });

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
          .meta({ description: 'JSON texts {time, level, text, …}, oldest first; the list may be empty' }),
        gap: z.boolean().meta({
          description: 'true: lines before these are missing, because the host wrote more than the limit',
        }),
      }),
    ).meta({ description: 'New lines since the previous event' }),
    event('trouble', reason).meta({ description: 'The host did not answer; the control plane asks again' }),
    event('over', reason).meta({ description: 'Last event of the stream' }),
  ])
  .meta({ id: 'TailedLog', description: 'Event of a followed log' });

export type LogTailRequest = z.output<typeof logTailWishSchema>;
export type TailedLog = z.output<typeof tailedLogSchema>;
