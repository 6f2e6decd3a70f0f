import { z } from 'zod';

const text = (description: string) => z.string().meta({ description });
const count = (description: string) => z.number().int().min(0).meta({ description });
const seconds = (description: string) => z.number().int().min(0).meta({ description, 'x-unit': 's' });

/** GET /mediaservice/{domain}/queue (beyond the documents): the queues of the command enqueue as they are now. */
export const mediaQueueQuerySchema = z
  .strictObject({
    mediaserviceId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Queues of this media service only' }),
  })
  .meta({ id: 'MediaQueueQuery', description: 'Filter of the queues', example: {} });

const AGENT_STATES = ['free', 'ringing', 'talking', 'wrapUp', 'busy', 'away'] as const;

export const mediaQueueEntrySchema = z
  .object({
    mediaserviceId: text('Media service of the queue'),
    siteId: text('Site of the queue'),
    hostId: text('Host of the queue'),
    queue: text('Name'),
    waiting: count('Callers that wait'),
    alarmsWaiting: count('Callers among them with the priority alarm'),
    longestWait: seconds('Longest wait of those that wait'),
    entered: count('Callers since the start of the host'),
    answered: count('Callers that an agent has answered'),
    abandoned: count('Callers that have hung up or were interrupted'),
    overflowed: count('Callers that were not served: full, maxWait or noAgents'),
    meanWait: seconds('Mean wait of the answered callers'),
    meanService: seconds('Mean conversation with its wrap-up'),
    agents: z
      .array(
        z.object({
          agent: text('As the command names it'),
          state: z.enum(AGENT_STATES).meta({
            description:
              'free; ringing; talking; wrapUp: pause after a conversation; busy: in another call; away: was not reached',
          }),
          since: seconds('Duration of the state').optional(),
        }),
      )
      .meta({ description: 'Agents of the last caller' }),
  })
  .meta({ id: 'MediaQueueEntry', description: 'A queue of a host' });

export const mediaQueueListSchema = z
  .object({
    success: z.literal(true),
    queues: z.array(mediaQueueEntrySchema).meta({ description: 'Queues since the start of each host' }),
    missingHosts: z
      .array(z.string())
      .optional()
      .meta({ description: 'Cloud only: hosts that did not answer, as site/host' }),
    olderHosts: z.array(z.string()).optional().meta({
      description: 'Cloud only: hosts among them whose release cannot answer this request',
    }),
  })
  .meta({
    id: 'MediaQueueList',
    description: 'Queues of the host at a site; in the cloud those of all hosts of the tenant',
  });

export type MediaQueueAsk = z.output<typeof mediaQueueQuerySchema>;
export type MediaQueueEntry = z.output<typeof mediaQueueEntrySchema>;
