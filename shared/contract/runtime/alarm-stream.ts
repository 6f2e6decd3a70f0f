import { z } from 'zod';
import { programStreamSchema, STREAM_CHANNELS } from '../callback/index.ts';

const replyId = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'replyId of the newAlarmbridgeEvent callback that started the call' });
const sessionId = z.string().min(1).max(64).meta({ description: 'sessionId of that callback' });

/** The sides of an alarm call that may hear a program. */
const ALARM_HEARERS = ['people', 'device'] as const;

/** `playMode` is no field of it: device and people always hear each other. */
const alarmStreamTargetSchema = programStreamSchema
  .omit({ playMode: true })
  .extend({
    channels: z.array(z.enum(STREAM_CHANNELS)).min(1).max(2).optional().meta({
      description:
        'inbound: the device; outbound: the people; mixed: both in one channel. Default: each side for a program that listens, mixed for one that speaks',
    }),
    hearers: z
      .array(z.enum(ALARM_HEARERS))
      .min(1)
      .max(2)
      .default(['people'])
      .meta({
        description:
          'Sides that hear a program that speaks. device requires controlCommandsEnabled of the alarm bridge, because speech may contain tones that the device takes for commands',
        example: ['people', 'device'],
      }),
  })
  .meta({
    id: 'AlarmStreamTarget',
    description: 'A program that hears the call of an alarm and may speak in it',
    example: { url: 'wss://ai.example/in', framing: 'mediaStream' },
  });

const example = { replyId: 'eyJ…', sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7' };

/** POST /alarmbridge/{domain}/startstream and stopstream (beyond the documents): as of media services, for the call of an alarm. */
export const ALARM_STREAM_SCHEMAS = {
  startstream: z.strictObject({ replyId, sessionId, streamTarget: alarmStreamTargetSchema }).meta({
    id: 'StartAlarmStream',
    description: 'Joins the call of an alarm with a program that hears it and may speak in it',
    example: { ...example, streamTarget: { url: 'wss://ai.example/in' } },
  }),
  stopstream: z
    .strictObject({
      replyId,
      sessionId,
      streamId: z.string().min(1).max(64).meta({ description: 'streamId of startstream or streamStarted' }),
    })
    .meta({
      id: 'StopAlarmStream',
      description: 'Ends a stream of the call of an alarm; streamStopped follows',
      example: { ...example, streamId: '7c1f0a52' },
    }),
} as const;

export const alarmStreamStartedSchema = z
  .object({
    success: z.literal(true),
    streamId: z.string().meta({ description: 'The new stream' }),
  })
  .meta({
    id: 'AlarmStreamStarted',
    description: 'The stream begins; streamStarted or streamFailed follows',
  });

export type AlarmStreamTarget = z.output<typeof alarmStreamTargetSchema>;
