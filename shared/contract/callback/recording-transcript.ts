import { z } from 'zod';

const ms = (description: string) => z.number().int().min(0).meta({ description, 'x-unit': 'ms' });

/** An utterance of a recording as text. */
export const recordingLineSchema = z
  .object({
    channel: z.number().int().min(0).meta({ description: 'Channel of the recording' }),
    speaker: z
      .string()
      .optional()
      .meta({ description: 'Speaker on the channel, where it is known', example: 'device' }),
    offset: ms('Begin, from the begin of the recording'),
    duration: ms('Duration, with the pause behind it'),
    text: z.string().meta({ description: 'Recognised text', example: 'I have fallen' }),
    confidence: z.number().min(0).max(1).optional().meta({ description: 'Confidence', example: 0.87 }),
    recogniser: z.string().optional().meta({ description: 'Recogniser that has answered', example: 'local' }),
  })
  .meta({ id: 'RecordingLine', description: 'An utterance of a recording as text' });

/** `transcript` of the callbacks about recordings. */
export const recordingTranscriptSchema = z
  .object({
    lines: z
      .array(recordingLineSchema)
      .meta({ description: 'Utterances in order, 50,000 characters at most' }),
    missed: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Utterances that no recogniser has answered, or that are too many' }),
  })
  .meta({
    id: 'RecordingTranscript',
    description: 'Words of a recording; absent where no recogniser transcribes recordings',
    example: {
      lines: [{ channel: 0, speaker: 'device', offset: 1_200, duration: 2_400, text: 'I have fallen' }],
      missed: 0,
    },
  });

export type RecordingLine = z.output<typeof recordingLineSchema>;
