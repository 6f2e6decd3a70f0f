import { z } from 'zod';

const digitSchema = z
  .object({
    event: z.literal('dtmf'),
    party: z.number().int().min(0).meta({ description: 'Index into parties' }),
    direction: z.enum(['send', 'receive']).meta({ description: 'Direction: towards the party, or from it' }),
    data: z.object({
      digit: z.string(),
      duration: z.number().int().min(0).meta({ 'x-unit': 'ms' }),
      toneType: z.enum(['inaudio', '2833']),
    }),
    time: z.iso.datetime(),
  })
  .meta({ description: 'One digit' });

const vconSchema = z
  .looseObject({
    vcon: z.string().meta({ description: 'Version' }),
    uuid: z.string(),
    subject: z.string().optional(),
    parties: z.array(
      z.object({
        name: z.string().optional(),
        uuid: z.string().meta({ description: 'participantId' }),
        type: z.string().optional(),
        sip: z.string().optional().meta({ description: 'SIP URI' }),
      }),
    ),
    dialog: z.array(
      z.looseObject({
        type: z.string(),
        start: z.iso.datetime(),
        uuid: z.string().meta({ description: 'connectionId' }),
        parties: z.array(z.number().int().min(0)),
        party_history: z.array(digitSchema),
        originator: z.number().int().min(0).optional(),
        label: z.string().optional(),
        content_hash: z.string().optional(),
        duration: z.number().min(0).meta({ 'x-unit': 's' }),
        mediatype: z.string(),
        fileName: z.string(),
        url: z.string(),
      }),
    ),
    analysis: z
      .array(
        z.looseObject({
          type: z.string().meta({ description: 'Kind: transcript' }),
          dialog: z.number().int().min(0).meta({ description: 'Index into dialog' }),
          vendor: z.string().meta({ description: 'Maker' }),
          product: z.string().optional().meta({ description: 'Recognisers that have answered' }),
          schema: z.string().optional().meta({ description: 'Form of the body' }),
          mediatype: z.string().optional(),
          encoding: z.string(),
          body: z.string().meta({
            description:
              'JSON: lines, each with party, offset and duration in seconds, text and confidence; missed: utterances without an answer',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Words of the recording; absent where no recogniser transcribes recordings' }),
  })
  .meta({ id: 'Vcon', description: 'Parties, recorded times, digits and words of the recording' });

/** auditRecordingReady (runtime API document 6). */
export const auditRecordingReadySchema = z
  .object({
    sessionId: z.string().meta({ description: 'Alarm session' }),
    ivrServer: z.string().meta({ description: 'IP address of the sending node' }),
    domain: z.string().meta({ description: 'Tenant' }),
    event: z.literal('auditRecordingReady'),
    vCon: vconSchema,
    traceId: z
      .string()
      .meta({ description: 'Trace id, the same from the first packet to the last callback' }),
    httpTransactionId: z.string().meta({ description: 'Unique for each callback' }),
  })
  .meta({
    id: 'AuditRecordingReady',
    description: 'An audit recording of an alarm session is stored',
    example: {
      sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7',
      ivrServer: '192.0.2.10',
      domain: 'care.example',
      event: 'auditRecordingReady',
      vCon: {
        vcon: '0.4.0',
        uuid: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c12',
        parties: [{ name: 'unit-17', uuid: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c13', type: 'device' }],
        dialog: [
          {
            type: 'recording',
            start: '2026-01-02T03:04:05.000Z',
            uuid: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c14',
            parties: [0],
            party_history: [
              {
                event: 'dtmf',
                party: 0,
                direction: 'receive',
                data: { digit: 'A', duration: 80, toneType: 'inaudio' },
                time: '2026-01-02T03:04:06.000Z',
              },
            ],
            content_hash: 'sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
            duration: 12.5,
            mediatype: 'audio/x-wav',
            fileName: 'audit-1.wav',
            url: 'https://box-1.example:8443/mediaservice/care.example/promptfile/audit-1.wav',
          },
        ],
      },
      traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
      httpTransactionId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c15',
    },
  });

export type AuditRecordingReady = z.output<typeof auditRecordingReadySchema>;
