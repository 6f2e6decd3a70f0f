import { z } from 'zod';

/** Callback /message: a SIP MESSAGE no alarm bridge took (runtime API document 6). Every field is text. */
export const sipMessageReceivedSchema = z
  .object({
    callId: z.string().meta({ description: 'Call-ID of the request' }),
    received: z.string().meta({ description: 'Source IP address' }),
    sourcePort: z.string().meta({ description: 'Source port' }),
    fromDomain: z.string().meta({ description: 'Host part of From' }),
    fromUser: z.string().meta({ description: 'User part of From' }),
    fromURI: z.string().meta({ description: 'URI of From' }),
    to: z.string().meta({ description: 'URI of To' }),
    replyTo: z.string().meta({ description: 'SIP URI for an answer' }),
    targetDomain: z.string().meta({ description: 'Tenant that the message was sent to' }),
    contentType: z.string().meta({ description: 'Content-Type of the body' }),
    body: z.string().meta({ description: 'Body as received' }),
    protocol: z.enum(['udp', 'tcp', 'tls']).meta({ description: 'Transport' }),
    replyId: z
      .string()
      .meta({ description: 'Handle that names the host which can reach the sender; an answer repeats it' }),
  })
  .meta({
    id: 'SipMessageReceived',
    description: 'A SIP MESSAGE was received',
    example: {
      callId: 'a84b4c76e66710@192.0.2.30',
      received: '192.0.2.30',
      sourcePort: '5060',
      fromDomain: 'care.example',
      fromUser: 'unit-17',
      fromURI: 'sip:unit-17@care.example',
      to: 'sip:notes@care.example',
      replyTo: 'sip:unit-17@192.0.2.30:5060',
      targetDomain: 'care.example',
      contentType: 'text/plain',
      body: 'hello',
      protocol: 'udp',
      replyId: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    },
  });

export type SipMessageReceived = z.output<typeof sipMessageReceivedSchema>;

/** The same as an event of the command queue, `event/{domain}/message`. */
export const sipMessageEventSchema = sipMessageReceivedSchema
  .extend({
    event: z.literal('MESSAGE'),
    commandQueue: z.string().meta({ description: 'URL of the topic that takes commands to the sender' }),
    commandRegion: z.string().meta({ description: 'Site' }),
  })
  .meta({ id: 'SipMessageEvent', description: 'A SIP MESSAGE was received, with the topic for an answer' });

/** `event/{domain}/alarm`: a device failed to authenticate. */
export const authErrorEventSchema = z
  .object({
    event: z.literal('authError'),
    domain: z.string(),
    deviceId: z.string(),
    reason: z.string(),
    method: z.string(),
    requestUri: z.string(),
  })
  .meta({
    id: 'AuthErrorEvent',
    description: 'A device failed to authenticate against a service of the tenant',
  });
