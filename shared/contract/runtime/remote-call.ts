import { z } from 'zod';
import { farEndFields, remoteCryptoSchema } from '../callback/index.ts';

const replyId = z.string().min(1).max(4_096).meta({ description: 'replyId of a callback of the call' });
const sessionReferenceId = z
  .string()
  .max(4_096)
  .optional()
  .meta({ description: 'Copied into later callbacks' });

const example = { replyId: 'eyJ…' };
const exampleEnd = { receiveIp: '203.0.113.7', receivePort: 40_000, telephoneEventPayloadType: 101 };

/** Runtime operations of cloud SIP user agents (media document 4.2), by the last word of their path. */
export const REMOTE_CALL_SCHEMAS = {
  answerremotecall: z
    .strictObject({ replyId, codec: z.enum(['PCMA', 'PCMU']), ...farEndFields, sessionReferenceId })
    .meta({
      id: 'AnswerRemoteCall',
      description: 'Answers the call of a newRemoteCall',
      example: { ...example, codec: 'PCMA', ...exampleEnd },
    }),
  sendremotecallringback: z.strictObject({ replyId }).meta({
    id: 'SendRemoteCallRingback',
    description: 'Sends ringing to the caller of a newRemoteCall',
    example,
  }),
  hangupcall: z.strictObject({ replyId }).meta({
    id: 'HangUpCall',
    description: 'Ends a call of a cloud SIP user agent; busy when it was not answered',
    example,
  }),
  placeremotecall: z
    .strictObject({
      destinationUri: z.string().min(1).max(512).meta({ description: 'SIP address or number' }),
      sourceUser: z
        .string()
        .regex(/^[^\s@<>"\\:;]{1,128}$/, 'must be the user part of an address')
        .meta({ description: 'User part of From' }),
      codec: z.enum(['PCMA', 'PCMU', 'GSM']),
      ...farEndFields,
      sessionReferenceId,
      callbackBaseUrl: z.string().max(2_048).optional().meta({
        description: 'callbackBaseUrl of the cloud SIP user agent of the tenant that owns the call',
      }),
    })
    .meta({
      id: 'PlaceRemoteCall',
      description: 'Calls a destination for a cloud SIP user agent',
      example: { destinationUri: 'sip:17@care.example', sourceUser: 'door-1', codec: 'PCMA', ...exampleEnd },
    }),
} as const;

export type RemoteCallOperation = keyof typeof REMOTE_CALL_SCHEMAS;
export const REMOTE_CALL_OPERATIONS = Object.keys(REMOTE_CALL_SCHEMAS) as readonly RemoteCallOperation[];

/** The request of an operation; its name distinguishes it. */
export type RemoteCallRequest = {
  readonly [O in RemoteCallOperation]: {
    readonly operation: O;
    readonly body: z.output<(typeof REMOTE_CALL_SCHEMAS)[O]>;
  };
}[RemoteCallOperation];

/** Beside `success`: our end of the audio; of placeremotecall also the call. */
export const remoteCallAnswerSchema = z
  .looseObject({
    success: z.literal(true),
    localIp: z.string().optional().meta({ description: 'Address for the RTP of the application' }),
    localPort: z.number().int().optional().meta({ description: 'Port of that address' }),
    codec: z.enum(['PCMA', 'PCMU', 'GSM']).optional(),
    crypto: z
      .array(remoteCryptoSchema)
      .optional()
      .meta({ description: 'Key of the platform, when SRTP was requested' }),
    sessionId: z.string().optional().meta({ description: 'placeremotecall: the new call' }),
    replyId: z.string().optional().meta({ description: 'placeremotecall: for hangupcall' }),
  })
  .meta({ id: 'RemoteCallDone', description: 'The command was accepted; results follow by callback' });
