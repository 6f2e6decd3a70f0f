import { z } from 'zod';
import { DEVICE_COMMANDS } from '../../alarm-event/index.ts';

const replyId = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'replyId of the newAlarmbridgeEvent callback that started the call' });
const sessionId = z.string().min(1).max(64).meta({ description: 'sessionId of that callback' });

/** POST /alarmbridge/{domain}/devicecommand (runtime API document 4.1). */
export const deviceCommandSchema = z
  .strictObject({
    replyId,
    sessionId,
    command: z.enum(DEVICE_COMMANDS).meta({
      description:
        'Command for the device. clearDown ends the call as hangupalarmcall does, within about 10 s in every protocol',
    }),
    parameters: z
      .strictObject({
        duration: z
          .number()
          .int()
          .min(40)
          .max(5_000)
          .optional()
          .meta({ description: 'sendTones: length of each tone, ms; default 80' }),
        toneString: z
          .string()
          .regex(/^[0-9A-Da-d*#]{1,64}$/, 'must be 1 to 64 of 0-9, A-D, * and #')
          .optional()
          .meta({ description: 'sendTones: DTMF digits' }),
      })
      .optional()
      .meta({ description: 'For sendTones only' }),
  })
  .refine(({ command, parameters }) => command !== 'sendTones' || parameters?.toneString !== undefined, {
    message: 'sendTones needs parameters.toneString',
    path: ['parameters', 'toneString'],
  })
  .meta({
    id: 'DeviceCommand',
    description: 'A command to the device of an ongoing alarm call',
    example: { replyId: 'eyJ…', sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7', command: 'volumeUp' },
  });

/** POST /alarmbridge/{domain}/hangupalarmcall (4.2). */
export const hangupAlarmCallSchema = z.strictObject({ replyId, sessionId }).meta({
  id: 'HangupAlarmCall',
  description: 'Clears the device and ends the call',
  example: { replyId: 'eyJ…', sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7' },
});

export type DeviceCommandRequest = z.output<typeof deviceCommandSchema>;
export type HangupAlarmCallRequest = z.output<typeof hangupAlarmCallSchema>;
