import { z } from 'zod';
import {
  codecField,
  late,
  maybeText,
  origin,
  participantIdField,
  replyIdField,
  sessionReferenceField,
  text,
} from './media-field.ts';

/** A key of SRTP as `a=crypto` has it (RFC 4568 4): tag, suite, `inline:` and 30 bytes in base64. */
export const remoteCryptoSchema = z
  .object({
    id: z
      .number()
      .int()
      .min(0)
      .max(999_999_999)
      .meta({ description: 'Tag; the answer repeats that of the line it takes' }),
    suite: z.string().max(64).meta({ description: 'SRTP suite', example: 'AES_CM_128_HMAC_SHA1_80' }),
    config: z.string().max(256).meta({
      description: 'Key of whoever says it',
      example: 'inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj',
    }),
  })
  .meta({ id: 'RemoteCrypto', description: 'A key for SRTP (RFC 4568)' });

/** The application's end of audio without SIP, as its own description would say it. */
export const farEndFields = {
  receiveIp: z.union([z.ipv4(), z.ipv6()]).meta({ description: 'Where RTP is sent', example: '203.0.113.7' }),
  receivePort: z.number().int().min(1).max(65_534).meta({ description: 'Port of it; RTCP on the next' }),
  telephoneEventPayloadType: z.number().int().min(96).max(127).optional().meta({
    description: 'Under which digits are sent to it (RFC 4733); absent: in the audio',
    example: 101,
  }),
  crypto: z
    .array(remoteCryptoSchema)
    .max(8)
    .optional()
    .meta({ description: 'Its keys; present: SRTP, absent: RTP' }),
} as const;

const parties = {
  callId: text('Call-ID'),
  destinationUri: text('Whom the call is for, as the INVITE names it'),
  sourceUser: text('User part of From'),
} as const;

export const newRemoteCallSchema = z
  .object({
    ...origin,
    replyId: replyIdField,
    ...parties,
    participantId: participantIdField.meta({ description: 'The calling party' }),
    displayName: maybeText('Display name of From'),
    codec: codecField.meta({
      description: 'What the caller speaks; the other one of PCMA and PCMU is taken too',
    }),
    remoteRtpIp: text('Where the user agent sends its RTP'),
    remoteRtpPort: z.number().int().meta({ description: 'Port of it; RTCP on the next' }),
    telephoneEventPayloadType: z
      .number()
      .int()
      .meta({ description: 'Under which we take digits (RFC 4733)' }),
    crypto: z.array(remoteCryptoSchema).meta({ description: 'Our keys, in case the answer asks for SRTP' }),
    late,
  })
  .meta({ id: 'NewRemoteCall', description: 'A call came to a cloud SIP user agent; live' });

/** Answer to newRemoteCall: that it is taken note of. */
export const remoteCallNotedSchema = z.looseObject({ sessionReferenceId: sessionReferenceField }).meta({
  id: 'RemoteCallNoted',
  description: 'The call is known to the application; it rings until an operation answers it',
});

export const callFailedSchema = z
  .object({
    ...origin,
    participantId: participantIdField,
    sipCallId: maybeText('Call-ID, once it has rung'),
    sipStatus: z.number().int().meta({ description: 'SIP status', example: 486 }),
    sipReason: text('The same in words'),
    errorDescr: text('What happened'),
  })
  .meta({ id: 'CallFailed', description: 'A call of a cloud SIP user agent was not set up' });

export const callHungupSchema = z
  .object({
    ...origin,
    ...parties,
    callId: maybeText('Call-ID, once it has rung'),
    reason: text('Why it ended'),
  })
  .meta({ id: 'CallHungup', description: 'A call of a cloud SIP user agent is over' });

export type NewRemoteCall = z.output<typeof newRemoteCallSchema>;
export type RemoteCrypto = z.output<typeof remoteCryptoSchema>;
