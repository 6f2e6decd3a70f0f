import { z } from 'zod';
import { dtmfParamsSchema, phrasesSchema } from './ivr-command.ts';
import {
  callingFields,
  codecField,
  connectionIdField,
  contactParametersField,
  contactUserParametersField,
  headersNotSentField,
  late,
  maybeText,
  origin,
  participantIdField,
  pHeadersField,
  replyIdField,
  sessionIdField,
  sessionReferenceField,
  sipDiversionParametersField,
  text,
  xHeadersField,
} from './media-field.ts';
import { recordingTranscriptSchema } from './recording-transcript.ts';
import { farEndFields, remoteCryptoSchema } from './remote-call.ts';

export const MEDIA_ACTIONS = [
  'drop',
  'call',
  'httpcall',
  'ivr',
  'connect',
  'joinconferenceconnection',
] as const;
/** When greetings are heard: before the callee is dialled, each side once it has answered, or both at once. */
const PLAY_MODES = ['beforeConnect', 'onAnswer', 'onAnswerSimultaneous'] as const;

/** A number is the same as its digits: JSON of strangers has both. */
const address = z.union([z.string().min(1).max(512), z.number().int().min(0)]);
const side = z.looseObject({ phrases: phrasesSchema }).optional();

/** How a call is placed: of the action `call` and of placeivrcall. */
export const dialFields = {
  callerPrivacy: z.boolean().optional().meta({ description: 'Hide the calling number' }),
  contactParameters: contactParametersField,
  contactUserParameters: contactUserParametersField,
  displayName: z.string().max(256).optional().meta({ description: 'Display name of From' }),
  maxRingTime: z
    .number()
    .positive()
    .max(3_600)
    .optional()
    .meta({ description: 'Longest wait for the answer', 'x-unit': 's', example: 20 }),
  pHeaders: pHeadersField,
  xHeaders: xHeadersField,
  sessionReferenceId: sessionReferenceField,
  sipDiversion: address
    .optional()
    .meta({ description: 'Diversion (RFC 5806): the party that was called before' }),
  sipDiversionParameters: sipDiversionParametersField,
  sipFrom: address.optional().meta({ description: 'User part of From' }),
} as const;

/** The decision of an application about a participant: answer to newCall and callEvent (media document 2.4). */
export const callDecisionSchema = z
  .looseObject({
    action: z.enum(MEDIA_ACTIONS),
    ...dialFields,
    callRecording: z.boolean().optional().meta({ description: 'Record the call' }),
    recordingFileName: z.string().min(1).max(512).optional(),
    recordingChannels: z.enum(['mixed', 'perParticipant']).optional(),
    destAddr: address
      .optional()
      .meta({ description: 'call: SIP address or number', example: 'sip:17@care.example' }),
    dropCode: z
      .union([z.number().int().min(400).max(699), z.string().regex(/^[456]\d\d$/, 'must be 400 to 699')])
      .optional()
      .meta({ description: 'drop: SIP status; after the answer the Reason of the BYE', example: 486 }),
    monitorDestAddr: address
      .optional()
      .meta({ description: 'Party that is called after the first answer and hears all others' }),
    monitorPHeaders: pHeadersField,
    monitorXHeaders: xHeadersField,
    monitorSipFrom: address.optional(),
    participantId: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'connect: participant to connect with' }),
    replyId: z
      .string()
      .max(4_096)
      .optional()
      .meta({ description: 'connect: a replyId of the session of that participant' }),
    connectionId: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'joinconferenceconnection: id of the conference' }),
    codec: z
      .enum(['PCMA', 'PCMU', 'GSM'])
      .optional()
      .meta({ description: 'httpcall: codec of the audio to the application' }),
    receiveIp: farEndFields.receiveIp.optional(),
    receivePort: farEndFields.receivePort.optional(),
    telephoneEventPayloadType: farEndFields.telephoneEventPayloadType,
    crypto: farEndFields.crypto,
    ringbackTone: z
      .string()
      .max(512)
      .optional()
      .meta({ description: 'none, default, early, or a prompt file; default: early', example: 'default' }),
    sipPAI: address.optional().meta({ description: 'P-Asserted-Identity; trunks alone get it' }),
    sipRPID: address.optional().meta({ description: 'Remote-Party-ID; trunks alone get it' }),
    sipTo: address.optional().meta({ description: 'To; absent: destAddr' }),
    greeting: z
      .looseObject({
        playMode: z.enum(PLAY_MODES).default('onAnswer'),
        caller: side,
        callee: side,
      })
      .optional()
      .meta({ description: 'Audio for both sides before they are connected' }),
  })
  .superRefine((said, context) => {
    const needs: Readonly<Partial<Record<string, readonly string[]>>> = {
      call: ['destAddr'],
      httpcall: ['codec', 'receiveIp', 'receivePort'],
      connect: ['participantId'],
      joinconferenceconnection: ['connectionId'],
    };
    for (const name of needs[said.action] ?? [])
      if (said[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `is mandatory for ${said.action}` });
  })
  .meta({
    id: 'CallDecision',
    description: 'Decision about a participant',
    example: { action: 'call', destAddr: 'sip:17@care.example', maxRingTime: 20 },
  });

export const newCallSchema = z
  .object({
    ...origin,
    participantId: participantIdField,
    replyId: replyIdField,
    ...callingFields,
    requestUri: text('Request URI as received'),
    codec: codecField,
    late,
  })
  .meta({
    id: 'NewCall',
    description: 'A media service received a call; live, the answer is a CallDecision',
  });

const CALL_EVENTS = [
  'callingPartyDrop',
  'calledPartyDrop',
  'callerConnectionSplit',
  'calleeConnectionSplit',
] as const;

export const callEventSchema = z
  .object({
    ...origin,
    event: z.enum(CALL_EVENTS),
    connectionId: connectionIdField.optional(),
    participantId: participantIdField.meta({
      description: 'Participant that left; after a split the participant that the action is for',
    }),
    remainingParticipantId: z.string().optional().meta({ description: 'Participant that the action is for' }),
    replyId: replyIdField,
    user: maybeText('User of the participant the action is for'),
    ...callingFields,
    sipStatus: z.number().int().optional().meta({
      description: 'SIP status of a call that was not answered, or that ended otherwise than normally',
    }),
    sipReason: maybeText(
      'Cause in the words of the peer: text of its Reason or Warning field, else its reason phrase; else of the platform',
    ),
    dtmfParams: dtmfParamsSchema
      .optional()
      .meta({ description: 'Digits of an IVR that no callback reported before' }),
    late,
  })
  .meta({
    id: 'CallEvent',
    description: 'A party left or a connection was split; live, the answer is a CallDecision',
  });

export const callNotifySchema = z
  .object({
    ...origin,
    event: z.enum(['ringing', 'reInvite', 'update']),
    monitoringParticipant: z.boolean(),
    participantId: participantIdField,
    replyId: replyIdField,
    user: maybeText('User of this participant'),
    remoteUser: maybeText('User of its other party'),
    remoteParticipantId: maybeText('Participant for which it is called'),
    sipCallId: maybeText('Call-ID'),
    headersNotSent: headersNotSentField,
  })
  .meta({ id: 'CallNotify', description: 'Progress of a participant' });

export const callAnsweredSchema = z
  .object({
    ...origin,
    callingPartyNumber: maybeText('User of the caller'),
    remotePartyNumber: maybeText('User of the callee'),
    callerParticipantId: participantIdField.optional(),
    calleeParticipantId: participantIdField.optional(),
    connectionId: connectionIdField,
    callingPartyExpires: z
      .number()
      .optional()
      .meta({ description: 'Session-Expires of the caller', 'x-unit': 's' }),
    calledPartyExpires: z
      .number()
      .optional()
      .meta({ description: 'Session-Expires of the callee', 'x-unit': 's' }),
    monitoringParticipant: z.boolean(),
    replyId: replyIdField,
    codec: codecField.meta({ description: 'httpcall, cloud SIP user agent: codec towards the application' }),
    remoteRtpIp: maybeText('httpcall, cloud SIP user agent: address for the RTP of the application'),
    remoteRtpPort: z.number().int().optional().meta({ description: 'Port of that address' }),
    crypto: z
      .array(remoteCryptoSchema)
      .optional()
      .meta({ description: 'httpcall: key of the platform, when SRTP was requested' }),
    headersNotSent: headersNotSentField,
    queue: z
      .object({
        queue: z.string().meta({ example: 'support' }),
        agent: z.string().meta({ description: 'As the command names it', example: 'operator' }),
        waited: z.number().int().meta({ description: 'Duration of the wait', 'x-unit': 's' }),
      })
      .optional()
      .meta({ description: 'The callee is an agent of a queue' }),
  })
  .meta({ id: 'CallAnswered', description: 'A connection is established' });

export const sessionCompletedSchema = z
  .object({
    ...origin,
    sessionDuration: z.string().meta({ description: 'Seconds, three decimals', example: '12.480' }),
    reason: text('Cause of the end'),
  })
  .meta({ id: 'SessionCompleted', description: 'All participants have left' });

export const mediaRecordingReadySchema = z
  .looseObject({
    sessionId: sessionIdField,
    connectionId: connectionIdField,
    recordingFileName: text('Name in prompt storage'),
    fileSize: z.number().int().meta({ description: 'Size', 'x-unit': 'bytes' }),
    ivrServer: text('IP address of the sending node'),
    domain: text('Tenant'),
    event: z.enum(['recordingSuccessful', 'recordingFailed']),
    reason: maybeText('Present after a failure'),
    siteUrl: maybeText('Address of the file at the site, for a token of the tenant; it needs no WAN'),
    cloudUrl: maybeText('Address of the file at the control plane, for a token of the tenant'),
    cloudReady: z.boolean().optional().meta({
      description:
        'Whether the control plane has the file now, or passes it through from the site. False: fetch it at the site, or later at cloudUrl',
    }),
    transcript: recordingTranscriptSchema.optional(),
  })
  .meta({ id: 'MediaRecordingReady', description: 'A recording is finished and in prompt storage' });

export type CallDecision = z.output<typeof callDecisionSchema>;
export type MediaAction = (typeof MEDIA_ACTIONS)[number];
export type NewCall = z.output<typeof newCallSchema>;
export type CallEvent = z.output<typeof callEventSchema>;
export type CallNotify = z.output<typeof callNotifySchema>;
export type CallAnswered = z.output<typeof callAnsweredSchema>;
export type SessionCompleted = z.output<typeof sessionCompletedSchema>;
export type MediaRecordingReady = z.output<typeof mediaRecordingReadySchema>;
