import { z } from 'zod';

const sessionId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'sessionId of an alarm that waits in the alarm queue' });

/** `takealarm`: the host calls the person who has taken an alarm from the alarm queue, and joins that person with the device. */
export const takeAlarmSchema = z
  .strictObject({
    sessionId,
    destination: z.string().min(1).max(256).meta({
      description: 'Number or SIP address of the person; a device or a trunk of the tenant leads there',
    }),
    accept: z.enum(['key', 'answer']).meta({
      description:
        'key: the person presses 1; answer: the answer itself accepts, for a telephone in the browser',
    }),
    language: z.string().min(2).max(35).optional().meta({ description: 'Language of the sentences' }),
  })
  .meta({
    id: 'TakeAlarm',
    description: 'Calls the person who has taken an alarm',
    example: { sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7', destination: '+46855511001', accept: 'key' },
  });

/** `releasealarm`: the call of that person ends, and the alarm waits again. */
export const releaseAlarmSchema = z.strictObject({ sessionId }).meta({
  id: 'ReleaseAlarm',
  description: 'Gives an alarm back to the alarm queue',
  example: { sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7' },
});

export type TakeAlarmRequest = z.output<typeof takeAlarmSchema>;
