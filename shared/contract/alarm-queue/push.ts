import { z } from 'zod';

const POINT = /^B[\w-]{86}$/;
const SECRET = /^[\w-]{22}$/;
const LONGEST_ENDPOINT = 2_048;

/** POST …/push: the subscription of a browser, as its Push API gives it. */
export const pushRequestSchema = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https$/ })
      .max(LONGEST_ENDPOINT)
      .meta({ description: 'Address of the browser at its push service' }),
    keys: z
      .strictObject({
        p256dh: z
          .string()
          .regex(POINT)
          .meta({ description: 'Public key of the browser: P-256, uncompressed, base64url without padding' }),
        auth: z
          .string()
          .regex(SECRET)
          .meta({ description: 'Secret of the browser: 16 bytes, base64url without padding' }),
      })
      .meta({ description: 'Keys by which a message is encrypted for the browser' }),
  })
  .meta({
    id: 'AlarmQueuePushRequest',
    description: 'A browser that is to be woken when an alarm waits',
    example: {
      endpoint: 'https://push.example.net/p/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  });
export type PushRequest = z.output<typeof pushRequestSchema>;

/** A browser of the person who asks. */
const pushSubscriptionSchema = z
  .strictObject({
    id: z.string().meta({ description: 'SHA-256 of the endpoint, hex' }),
    service: z.string().meta({ description: 'Host name of the push service' }),
    createdAt: z.number().int().meta({ description: 'Time of the subscription, epoch ms' }),
  })
  .meta({ id: 'AlarmQueuePushBrowser', description: 'A browser that is woken when an alarm waits' });
export type PushSubscriptionShown = z.output<typeof pushSubscriptionSchema>;

export const pushStateSchema = z
  .strictObject({
    success: z.literal(true),
    publicKey: z.string().optional().meta({
      description:
        'Key of this installation, for which browsers subscribe (applicationServerKey); absent: web push is off here',
    }),
    browsers: z.array(pushSubscriptionSchema).meta({ description: 'Own browsers of the person' }),
  })
  .meta({ id: 'AlarmQueuePush', description: 'Web push of the alarm queue, and own browsers of the person' });
