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
      .meta({ description: 'Tag; the answer repeats the tag of the line that it accepts' }),
    suite: z.string().max(64).meta({ description: 'SRTP suite', example: 'AES_CM_128_HMAC_SHA1_80' }),
    config: z.string().max(256).meta({
      description: 'Key of the sender',
      example: 'inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj',
    }),
  })
  .meta({ id: 'RemoteCrypto', description: 'A key for SRTP (RFC 4568)' });

/** The application's end of audio without SIP, as its own description would say it. */
export const farEndFields = {
  receiveIp: z
    .union([z.ipv4(), z.ipv6()])
    .meta({ description: 'Address that RTP is sent to', example: '203.0.113.7' }),
  receivePort: z
    .number()
    .int()
    .min(1)
    .max(65_534)
    .meta({ description: 'Port of that address; RTCP uses the next port' }),
  telephoneEventPayloadType: z.number().int().min(96).max(127).optional().meta({
    description: 'Payload type of digits towards it (RFC 4733); absent: digits are in the audio',
    example: 101,
  }),
  crypto: z
    .array(remoteCryptoSchema)
    .max(8)
    .optional()
    .meta({ description: 'Keys of that end; SRTP when present, RTP when absent' }),
} as const;

const parties = {
  callId: text('Call-ID'),
  destinationUri: text('Called party as the INVITE names it'),
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
      description: 'Codec of the caller; the other one of PCMA and PCMU is accepted too',
    }),
    remoteRtpIp: text('Address for the RTP of the user agent'),
    remoteRtpPort: z.number().int().meta({ description: 'Port of that address; RTCP uses the next port' }),
    telephoneEventPayloadType: z
      .number()
      .int()
      .meta({ description: 'Payload type of digits towards the platform (RFC 4733)' }),
    crypto: z
      .array(remoteCryptoSchema)
      .meta({ description: 'Keys of the platform, for an answer that requests SRTP' }),
    late,
  })
  .meta({ id: 'NewRemoteCall', description: 'A cloud SIP user agent received a call; live' });

/** Answer to newRemoteCall: that it is taken note of. */
export const remoteCallNotedSchema = z.looseObject({ sessionReferenceId: sessionReferenceField }).meta({
  id: 'RemoteCallNoted',
  description: 'The application has accepted the callback; the call rings until an operation answers it',
});

export const callFailedSchema = z
  .object({
    ...origin,
    participantId: participantIdField,
    sipCallId: maybeText('Call-ID, once it has rung'),
    sipStatus: z.number().int().meta({ description: 'SIP status', example: 486 }),
    sipReason: text(
      'Cause in the words of the peer: text of its Reason or Warning field, else its reason phrase; else of the platform',
    ).meta({ example: 'User busy' }),
    errorDescr: text('The destination, the SIP status and the cause in one sentence'),
  })
  .meta({ id: 'CallFailed', description: 'A call of a cloud SIP user agent was not set up' });

export const callHungupSchema = z
  .object({
    ...origin,
    ...parties,
    callId: maybeText('Call-ID, once it has rung'),
    reason: text('Cause of the end'),
    sipStatus: z.number().int().optional().meta({ description: 'SIP status, when the peer gave one' }),
    sipReason: maybeText('Cause in the words of the peer; absent after normal clearing'),
  })
  .meta({ id: 'CallHungup', description: 'A call of a cloud SIP user agent has ended' });

export type NewRemoteCall = z.output<typeof newRemoteCallSchema>;
export type RemoteCrypto = z.output<typeof remoteCryptoSchema>;
