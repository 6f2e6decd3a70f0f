import { z } from 'zod';
import { handshakeOfferSchema } from './handshake-offer.ts';

/** The subject of an entry. */
export const HANDSHAKE_KINDS = ['device', 'deviceType', 'number', 'trunk', 'bridge'] as const;

/** POST /alarmbridge/{domain}/handshakes (beyond the documents): how calls of tone devices begin. */
export const handshakeQuerySchema = z
  .strictObject({
    kind: z.enum(HANDSHAKE_KINDS).optional().meta({ description: 'Entries of this kind only' }),
    key: z.string().min(1).max(200).optional().meta({
      description: 'Entries of this deviceId, deviceType, calling number, trunk or alarm bridge only',
    }),
    limit: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(100)
      .meta({ description: 'Number of entries, the most recent first' }),
  })
  .meta({
    id: 'HandshakeQuery',
    description: 'Filter of the handshakes',
    example: { kind: 'device', key: 'analogue-0001' },
  });

const count = (description: string) => z.number().int().min(0).meta({ description });

const handshakeEntrySchema = z
  .object({
    kind: z.enum(HANDSHAKE_KINDS).meta({ description: 'Kind of the key' }),
    key: z
      .string()
      .meta({ description: 'deviceId, deviceType, calling number, or id of the trunk or alarm bridge' }),
    protocol: z.string().meta({ description: 'Protocol of the last call' }),
    calls: count('Calls'),
    firstTry: count('Calls whose first string was accepted after at most one request'),
    retried: count('Calls that needed more'),
    failed: count('Calls without an accepted string'),
    requests: count('Requests of the platform'),
    badStrings: count('Strings that were not valid'),
    digits: count('In-band digits that were measured'),
    events: count('Digits that came as RFC 4733 events').optional(),
    saidAsEvents: count('Calls in which the platform sent tones as RFC 4733 events').optional(),
    protocols: z
      .record(z.string(), count('Calls'))
      .optional()
      .meta({ description: 'Calls with an accepted string, by its protocol' }),
    levelDbm0: z.number().optional().meta({ description: 'Mean level of the louder tone, dBm0' }),
    twistDb: z.number().optional().meta({ description: 'Mean of high group over low group, dB' }),
    noiseDbm0: z.number().optional().meta({ description: 'Mean noise level besides the tones, dBm0' }),
    checkMethods: z
      .record(z.string(), count('Strings'))
      .optional()
      .meta({ description: 'Policy learn: how many strings each check method fits' }),
    offers: z.array(handshakeOfferSchema).optional().meta({ description: 'Settings that may suit better' }),
    lastMs: z.number().meta({ description: 'Last call, epoch ms' }),
  })
  .meta({ id: 'HandshakeEntry', description: 'Statistics of handshakes' });

export const handshakeAnswerSchema = z
  .object({
    success: z.literal(true),
    entries: z.array(handshakeEntrySchema),
    missingHosts: z
      .array(z.string())
      .optional()
      .meta({ description: 'Cloud only: hosts that did not answer, as site/host' }),
    olderHosts: z.array(z.string()).optional().meta({
      description: 'Cloud only: hosts among them whose release takes no request of a signed-in person',
    }),
  })
  .meta({
    id: 'HandshakeAnswer',
    description: 'Statistics of the host at a site; in the cloud the sum over all hosts of the tenant',
  });

export type HandshakeQuery = z.output<typeof handshakeQuerySchema>;
export type HandshakeEntry = z.output<typeof handshakeEntrySchema>;
