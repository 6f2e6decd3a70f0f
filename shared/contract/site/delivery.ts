import { z } from 'zod';

const count = z.number().int().nonnegative();

const hostName = z.strictObject({
  siteId: z.string().meta({ description: 'Site' }),
  hostId: z.string().meta({ description: 'Host' }),
});

/** Kinds of endpoints, as the destination of a callback names them. */
export const ENDPOINT_KINDS = [
  'bridge',
  'message',
  'platform',
  'mediaservice',
  'callrecording',
  'cloudsipua',
] as const;

/** A callback that waits or was given up; nothing of its content. */
export const waitingCallbackSchema = hostName.extend({
  id: z.string().meta({ description: 'Callback: its Idempotency-Key' }),
  state: z
    .enum(['waiting', 'dead'])
    .meta({ description: 'waiting: it is still tried; dead: it was given up' }),
  type: z.string().meta({ description: 'Kind of callback' }),
  createdAt: count.meta({ description: 'Epoch ms' }),
  attempts: count.meta({ description: 'Number of attempts' }),
  lastError: z.string().nullable().meta({ description: 'Why the last attempt was not accepted' }),
});
export type WaitingCallback = z.output<typeof waitingCallbackSchema>;

export const endpointDeliverySchema = z
  .strictObject({
    endpoint: z.string().meta({ description: 'Destination: the kind, and the id behind a blank' }),
    kind: z.enum(ENDPOINT_KINDS).meta({ description: 'Kind of destination' }),
    id: z.string().optional().meta({ description: 'Alarm bridge or service' }),
    name: z.string().optional().meta({ description: 'Its name; absent: it exists no more' }),
    url: z.string().optional().meta({ description: 'Address of its callbacks' }),
    waiting: count.meta({ description: 'Callbacks that are still tried' }),
    dead: count.meta({ description: 'Callbacks that were given up' }),
    oldestAt: count.optional().meta({ description: 'Creation of the oldest that waits, epoch ms' }),
    errors: z
      .array(z.strictObject({ reason: z.string(), times: count }))
      .meta({ description: 'Reasons of the last attempts, the most frequent first' }),
    callbacks: z.array(waitingCallbackSchema).meta({ description: 'The oldest 100' }),
  })
  .meta({ id: 'EndpointDelivery', description: 'Callbacks of one endpoint that are not delivered' });
export type EndpointDelivery = z.output<typeof endpointDeliverySchema>;

export const deliveryAnswerSchema = z
  .strictObject({
    success: z.literal(true),
    endpoints: z
      .array(endpointDeliverySchema)
      .meta({ description: 'Endpoints with callbacks that wait or were given up' }),
    missingHosts: z
      .array(hostName)
      .meta({ description: 'Hosts that did not answer; their callbacks are not counted' }),
    olderHosts: z
      .array(hostName)
      .meta({ description: 'Hosts whose release lists no waiting callbacks: theirs are not counted' }),
    cut: z.boolean().meta({ description: 'A host has more callbacks than were looked at' }),
  })
  .meta({
    id: 'DeliveryAnswer',
    description: 'Callbacks that are not delivered, by endpoint',
    example: {
      success: true,
      endpoints: [
        {
          endpoint: 'bridge 01jd0000000000000000000001',
          kind: 'bridge',
          id: '01jd0000000000000000000001',
          name: 'SCAIP alarms',
          url: 'https://arc.example/callback',
          waiting: 2,
          dead: 0,
          oldestAt: 1_795_680_000_000,
          errors: [{ reason: 'answered 503', times: 2 }],
          callbacks: [],
        },
      ],
      missingHosts: [],
      olderHosts: [],
      cut: false,
    },
  });
export type DeliveryAnswer = z.output<typeof deliveryAnswerSchema>;

export const redeliverySchema = z
  .strictObject({
    endpoint: z.string().min(1).max(128).meta({
      description: 'Endpoint whose dead letters are sent again',
      example: 'bridge 01jd0000000000000000000001',
    }),
    ids: z
      .array(z.string().regex(/^[0-9a-z]{26}$/, { message: 'must be the id of a callback' }))
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Only these of them; absent: all', example: ['01jd0000000000000000000002'] }),
  })
  .meta({ id: 'RedeliveryRequest', description: 'Dead letters that are sent again' });
export type RedeliveryRequest = z.output<typeof redeliverySchema>;

export const redeliveredSchema = z
  .strictObject({
    success: z.literal(true),
    taken: count.meta({ description: 'Callbacks that are tried again' }),
    missingHosts: z.array(hostName).meta({ description: 'Hosts that did not answer' }),
  })
  .meta({
    id: 'Redelivered',
    description: 'Result of a redelivery',
    example: { success: true, taken: 12, missingHosts: [] },
  });
