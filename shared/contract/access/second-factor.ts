import { z } from 'zod';

const success = z.literal(true);

export const secondFactorCodeField = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .meta({ description: 'Six digits of the authenticator, or one of the recovery codes', example: '287082' });

/** PUT and DELETE /session/secondfactor. */
export const secondFactorCodeSchema = z.strictObject({ code: secondFactorCodeField }).meta({
  id: 'SecondFactorCode',
  description: 'Code that proves the second factor',
  example: { code: '287082' },
});

export const secondFactorBegunSchema = z
  .strictObject({
    success,
    secret: z.string().meta({ description: 'Secret for the authenticator, base32; shown once' }),
    uri: z.string().meta({ description: 'The same as an otpauth address, to be shown as a QR code' }),
  })
  .meta({
    id: 'SecondFactorBegun',
    description: 'The authenticator can be set up; PUT with a code of it confirms the second factor',
  });

export const secondFactorConfirmedSchema = z
  .strictObject({
    success,
    recoveryCodes: z.array(z.string()).meta({
      description: 'Codes for the day the authenticator is lost, each good once; shown once',
    }),
  })
  .meta({ id: 'SecondFactorConfirmed', description: 'The second factor is set up, and this session has it' });

export const secondFactorStateSchema = z
  .strictObject({
    isSet: z.boolean().meta({ description: 'The person has a second factor' }),
    isGiven: z.boolean().meta({ description: 'It was given in this session' }),
    isMissing: z.boolean().meta({
      description: 'A tenant of the person demands it: this session can do nothing but set it up',
    }),
    recoveryCodesLeft: z.number().int().optional().meta({ description: 'Recovery codes that are not used' }),
  })
  .meta({ id: 'SecondFactorState', description: 'Second factor of the person and of this session' });

export type SecondFactorState = z.output<typeof secondFactorStateSchema>;
