import { z } from 'zod';

/** POST /alarmbridge/{domain}/handshakes (beyond the documents): how calls of tone devices begin. */
export const handshakeQuerySchema = z
  .strictObject({
    kind: z.enum(['device', 'number', 'trunk']).optional().meta({ description: 'Entries of this kind only' }),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Entries of this deviceId, calling number or trunk only' }),
    limit: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(100)
      .meta({ description: 'Entries, the last heard first' }),
  })
  .meta({
    id: 'HandshakeQuery',
    description: 'Whose handshakes',
    example: { kind: 'device', key: 'analogue-0001' },
  });

const count = (description: string) => z.number().int().min(0).meta({ description });

const handshakeEntrySchema = z
  .object({
    kind: z.enum(['device', 'number', 'trunk']).meta({ description: 'What the key names' }),
    key: z.string().meta({ description: 'deviceId, calling number or trunk' }),
    protocol: z.string().meta({ description: 'Protocol of the last call' }),
    calls: count('Calls'),
    firstTry: count('Calls whose first string was taken, after one request at most'),
    retried: count('Calls that needed more'),
    failed: count('Calls of which no string was taken'),
    requests: count('Requests of ours'),
    badStrings: count('Strings that were no valid ones'),
    digits: count('In-band digits that were measured'),
    levelDbm0: z.number().optional().meta({ description: 'Mean level of the louder tone, dBm0' }),
    twistDb: z.number().optional().meta({ description: 'Mean of high group over low group, dB' }),
    noiseDbm0: z.number().optional().meta({ description: 'Mean of what lay beside the tones, dBm0' }),
    checkMethods: z
      .record(z.string(), count('Strings'))
      .optional()
      .meta({ description: 'Policy learn: how many strings each check method fits' }),
    lastMs: z.number().meta({ description: 'Last call, epoch ms' }),
  })
  .meta({ id: 'HandshakeEntry', description: 'How calls began' });

export const handshakeAnswerSchema = z
  .object({
    success: z.literal(true),
    entries: z.array(handshakeEntrySchema),
    missingHosts: z
      .array(z.string())
      .optional()
      .meta({ description: 'From the cloud: hosts that were not there, as site/host' }),
  })
  .meta({
    id: 'HandshakeAnswer',
    description: 'At a site what its host has counted, from the cloud the sum over all hosts of the tenant',
  });

export type HandshakeQuery = z.output<typeof handshakeQuerySchema>;
export type HandshakeEntry = z.output<typeof handshakeEntrySchema>;
