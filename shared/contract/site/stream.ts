import { z } from 'zod';
import { labelField } from '../feed/index.ts';
import { operationSchema } from './life.ts';
import { hostSchema, siteAlarmSchema } from './site.ts';

const id = z.string().meta({ description: 'Id for the header Last-Event-ID' });
const event = <N extends string, S extends z.ZodType>(name: N, data: S) =>
  z.strictObject({ id, event: z.literal(name), data });

/**
 * GET /site/{domain}/stream: one event of `text/event-stream`, its fields as members and `data` as the JSON it is. Each
 * carries the whole state of what it names, so that one seen twice does no harm.
 */
export const siteNewsSchema = z
  .discriminatedUnion('event', [
    event('reset', z.strictObject({})).meta({
      description: 'First event, or missed events are not stored any more: read the lists again',
    }),
    event('host', hostSchema).meta({ description: 'The state of a host changed' }),
    event('gone', z.strictObject({ siteId: labelField, hostId: labelField })).meta({
      description: 'A host was removed from the lists',
    }),
    event('operation', operationSchema).meta({ description: 'Progress of an operation on a host' }),
    event('alarm', siteAlarmSchema).meta({
      description: 'An alarm of supervision: raised, acknowledged, cleared',
    }),
  ])
  .meta({ id: 'SiteNews', description: 'Event of the stream of a tenant' });

export type SiteNews = z.output<typeof siteNewsSchema>;
