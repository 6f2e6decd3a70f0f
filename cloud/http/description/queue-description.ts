import type { z } from '@hono/zod-openapi';
import { authErrorEventSchema, sipMessageEventSchema } from '#shared/contract/callback/index.ts';
import { commandAnswerSchema, messageCommandSchema } from '#shared/contract/runtime/index.ts';

/** One topic of the command queue of a site; `receive`: the site receives. */
interface QueueTopic {
  readonly address: string;
  readonly message: string;
  readonly payload: z.ZodType;
  readonly action: 'send' | 'receive';
  readonly summary: string;
  readonly qos: 0 | 1;
  readonly retain: false;
}

const topic = { qos: 1, retain: false } as const;

/** The command queue of a site (control plane 3.6): a broker of its own, for applications. */
export const QUEUE_TOPICS: Readonly<Record<string, QueueTopic>> = {
  messageCommand: {
    ...topic,
    address: 'cmd/{domain}/message',
    message: 'MessageCommand',
    payload: messageCommandSchema,
    action: 'receive',
    summary: 'An application sends a SIP MESSAGE to a device',
  },
  commandAnswer: {
    ...topic,
    address: 'cmd/{domain}/reply/{clientId}',
    message: 'CommandAnswer',
    payload: commandAnswerSchema,
    action: 'send',
    summary: 'The host sends the result of a command to its client',
  },
  messageEvent: {
    ...topic,
    address: 'event/{domain}/message',
    message: 'SipMessageEvent',
    payload: sipMessageEventSchema,
    action: 'send',
    summary: 'A device sent a SIP MESSAGE that matches no alarm bridge',
  },
  alarmEvent: {
    ...topic,
    address: 'event/{domain}/alarm',
    message: 'AuthErrorEvent',
    payload: authErrorEventSchema,
    action: 'send',
    summary: 'A device failed to authenticate; the rate per device is limited',
  },
};
