import { z } from 'zod';

const ms = (most: number) => z.number().int().min(1).max(most);

/** Words of a participant as text (decisions 5, speech). */
export const speechInputSchema = z
  .looseObject({
    language: z
      .string()
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, 'must be a language tag such as sv or en-GB')
      .optional()
      .meta({ description: 'Language (BCP 47); absent: that of the recogniser', example: 'sv' }),
    hints: z
      .array(z.string().min(1).max(200))
      .max(500)
      .optional()
      .meta({ description: 'Words and sentences that are likely', example: ['yes', 'no'] }),
    minConfidence: z.number().min(0).max(1).optional().meta({
      description: 'Least confidence of a result, where the recogniser gives one',
      example: 0.5,
    }),
    firstSpeechTimeout: ms(600_000)
      .default(10_000)
      .meta({ description: 'Longest wait for speech after the phrases', 'x-unit': 'ms' }),
    endSilence: ms(10_000)
      .default(1_000)
      .meta({ description: 'Silence that ends the speech', 'x-unit': 'ms' }),
    maxDuration: ms(120_000).default(30_000).meta({ description: 'Longest speech', 'x-unit': 'ms' }),
    resultTimeout: ms(60_000)
      .default(5_000)
      .meta({ description: 'Longest wait for the recogniser after the speech', 'x-unit': 'ms' }),
    bargeIn: z.boolean().default(true).meta({ description: 'Speech stops the phrases' }),
  })
  .meta({
    id: 'SpeechInput',
    description: 'Speech of the participant, recognised as text',
    example: { language: 'en', hints: ['yes', 'no'] },
  });

const confidence = z.number().min(0).max(1).optional().meta({ description: 'Confidence', example: 0.87 });

/** The result of `speech`. Each end has its reason, and a failure its cause. */
export const speechParamsSchema = z
  .object({
    reason: z.enum(['recognised', 'lowConfidence', 'noMatch', 'noSpeech', 'digits', 'error']).meta({
      description:
        'Cause of the end; noMatch: speech without words; noSpeech: nothing was said; digits: a key was pressed first; error: no recogniser has answered',
    }),
    text: z.string().optional().meta({ description: 'Recognised text', example: 'yes' }),
    confidence,
    alternatives: z
      .array(z.object({ text: z.string(), confidence }))
      .optional()
      .meta({ description: 'Further results, the likeliest first' }),
    recogniser: z.string().optional().meta({ description: 'Recogniser that has answered', example: 'local' }),
    duration: z.number().int().optional().meta({ description: 'Duration of the speech', 'x-unit': 'ms' }),
    error: z.string().optional().meta({ description: 'Cause of the error, one sentence for a person' }),
  })
  .meta({
    id: 'SpeechParams',
    description: 'Recognised speech',
    example: { reason: 'recognised', text: 'yes', confidence: 0.87, recogniser: 'local', duration: 640 },
  });

export type SpeechInput = z.output<typeof speechInputSchema>;
export type SpeechParams = z.output<typeof speechParamsSchema>;
