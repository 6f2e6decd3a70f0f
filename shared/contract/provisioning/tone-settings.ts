import { z } from 'zod';

/** How a digit travels: as an RFC 4733 telephone-event, or as sound in the audio stream. */
const TONE_SEND_TYPES = ['2833', 'inaudio'] as const;

const sendType = z.enum(TONE_SEND_TYPES);

export const toneSettingsSchema = z
  .strictObject({
    calleeDtmfSendType: sendType
      .optional()
      .meta({ description: 'Format of tones to the called party', example: '2833' }),
    callerDtmfSendType: sendType
      .optional()
      .meta({ description: 'Format of tones to the calling party', example: 'inaudio' }),
    dtmfSendType: sendType
      .default('inaudio')
      .meta({ description: 'Format of tones to a party without its own setting', example: '2833' }),
    dataRequestType: z.enum(['standard', 'combined']).default('standard').meta({
      description: 'standard: one tone of the protocol; combined: tone pair, then STMF',
      example: 'combined',
    }),
  })
  .meta({
    id: 'ToneSettings',
    description: 'Format of DTMF tones (provisioning document 2.1)',
    example: { dtmfSendType: 'inaudio', dataRequestType: 'standard' },
  });

export type ToneSettings = z.infer<typeof toneSettingsSchema>;
