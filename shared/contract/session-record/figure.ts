import { z } from 'zod';
import { recordListQuerySchema, shownRecordSchema } from './query.ts';
import { RECORD_KINDS } from './record.ts';

const count = z.number().int().nonnegative();
const looked = {
  looked: count.meta({ description: 'Records that were looked at, the newest first' }),
  cut: z.boolean().meta({ description: 'The range has more records; the figures are those of the newest' }),
};

/** GET /record/{domain}/figure, /facet and /seen: the filter of the list, without pages. */
export const recordFigureQuerySchema = recordListQuerySchema
  .omit({ limit: true, nextToken: true, transcript: true })
  .meta({ description: 'Filter; without a range and a trace the last 24 hours' });

const quantiles = z.strictObject({
  amount: count.meta({ description: 'Number of values' }),
  p50: count.optional().meta({ description: 'Median, ms' }),
  p95: count.optional().meta({ description: '95th percentile, ms' }),
});

export const recordFigureSchema = z
  .strictObject({
    ...looked,
    acknowledged: quantiles.meta({ description: 'From the arrival of an alarm to the answer to its device' }),
    spoken: quantiles.meta({ description: 'From the arrival of an alarm to the first word with a person' }),
    firstTry: z
      .strictObject({ understood: count, total: count })
      .meta({ description: 'Conversations in tones that were understood without a repeat, of all' }),
    running: z.array(shownRecordSchema).meta({ description: 'Sessions that go on now, at most 100' }),
    endpoints: z
      .array(
        z.strictObject({
          receiver: z.string().meta({ description: 'Alarm bridge or service' }),
          name: z.string().optional().meta({ description: 'Its name' }),
          kind: z.enum(RECORD_KINDS).meta({ description: 'Kind of its newest session' }),
          sessions: count.meta({ description: 'Sessions with callbacks' }),
          callbacks: count.meta({ description: 'Callbacks of these sessions' }),
          failedSessions: count.meta({ description: 'Sessions with an attempt that was not accepted' }),
          latency: quantiles.meta({
            description: 'From the journal of the host to the first accepted answer',
          }),
          histogram: z
            .array(z.strictObject({ uptoMs: count.optional(), amount: count }))
            .meta({ description: 'Latencies in steps; the last one has no upper end' }),
          reasons: z
            .array(z.strictObject({ reason: z.string(), times: count, lastAt: count }))
            .meta({ description: 'Why attempts were not accepted, the most frequent first' }),
        }),
      )
      .meta({ description: 'Delivery by endpoint, the one with most failures first' }),
  })
  .meta({
    id: 'RecordFigure',
    description: 'Figures of the sessions in a range',
    example: {
      ...{ looked: 2, cut: false },
      ...{ acknowledged: { amount: 2, p50: 310, p95: 420 }, spoken: { amount: 0 } },
      ...{ firstTry: { understood: 1, total: 1 }, running: [], endpoints: [] },
    },
  });
export type RecordFigure = z.output<typeof recordFigureSchema>;

export const FACETS = ['kind', 'result', 'siteId', 'hostId', 'protocol', 'receiver', 'warning'] as const;
export type Facet = (typeof FACETS)[number];

const facetValues = z.array(z.strictObject({ value: z.string(), amount: count }));

export const recordFacetSchema = z
  .strictObject({
    ...looked,
    facets: z
      .strictObject({
        ...{ kind: facetValues, result: facetValues, siteId: facetValues, hostId: facetValues },
        ...{ protocol: facetValues, receiver: facetValues, warning: facetValues },
      })
      .meta({ description: 'Values of each field, the most frequent first, at most 50' }),
  })
  .meta({ id: 'RecordFacets', description: 'How many of the records have which value' });
export type RecordFacets = z.output<typeof recordFacetSchema>;

export const recordSeenSchema = z
  .strictObject({
    ...looked,
    masked: z.boolean().meta({ description: 'Numbers are masked for this caller' }),
    seen: z
      .array(
        z.strictObject({
          value: z.string().meta({ description: 'Number, user part of an address, or device' }),
          role: z.enum(['from', 'to', 'device']).meta({ description: 'Place in the session' }),
          amount: count.meta({ description: 'Sessions with it' }),
          lastAt: count.meta({ description: 'Begin of the newest of them, epoch ms' }),
          receiver: z.string().optional().meta({ description: 'Receiver of the newest of them' }),
        }),
      )
      .meta({ description: 'The newest first, at most 500' }),
  })
  .meta({ id: 'RecordSeen', description: 'Numbers and devices of the newest sessions' });
export type RecordSeen = z.output<typeof recordSeenSchema>;
