import { z } from 'zod';
import { dialFields, headersNotSentField, phrasesSchema, programStreamSchema } from '../callback/index.ts';

const replyId = z.string().min(1).max(4_096).meta({ description: 'replyId of a callback of the call' });
const sessionId = z.string().min(1).max(64).meta({ description: 'Session of that callback' });
const connectionId = z.string().min(1).max(64).meta({ description: 'connectionId of callAnswered' });
const participantId = z.string().min(1).max(64).meta({ description: 'Participant of the session' });
const recordingFileName = z
  .string()
  .min(1)
  .max(512)
  .meta({ description: 'Name in prompt storage; .wav or .mp3', example: 'call-17.wav' });
const example = { replyId: 'eyJ…', sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7' };

/** Runtime operations of the media service (media document 4.1, decisions 5), by the last word of their path. */
const placeIvrCallSchema = z
  .strictObject({
    ...dialFields,
    destAddr: z
      .union([z.string().min(1).max(512), z.number().int().min(0)])
      .optional()
      .meta({ description: 'SIP address or number to connect with the IVR' }),
    mediaserviceId: z.string().max(64).optional().meta({
      description:
        'Media service whose application decides; absent: the only one of the tenant. With several it is mandatory, and the refusal names them',
    }),
  })
  .meta({
    id: 'PlaceIvrCall',
    description: 'Calls a destination and connects the answered call with an IVR',
    example: { destAddr: 'sip:17@care.example', mediaserviceId: '01j9z3n6t2', maxRingTime: 20 },
  });

const hangUpParticipantSchema = z.strictObject({ participantId, replyId, sessionId }).meta({
  id: 'HangUpParticipant',
  description: 'Hangs up a participant',
  example: { ...example, participantId: '7c1f0a52' },
});

/** Without a sessionId the replyId says which session. */
const hangUpRemoteParticipantSchema = z
  .strictObject({ participantId, replyId, sessionId: sessionId.optional() })
  .meta({
    id: 'HangUpRemoteParticipant',
    description: 'Hangs up the other party of a participant',
    example: { replyId: 'eyJ…', participantId: '7c1f0a52' },
  });

const interruptIvrCommandSchema = z.strictObject({ replyId, sessionId }).meta({
  id: 'InterruptIvrCommand',
  description: 'Ends the running IVR command; another getIvrCommand follows',
  example,
});

const ofConnection = z.strictObject({ replyId, connectionId });
const ofConnectionExample = { replyId: 'eyJ…', connectionId: '3f0d7b6e' };

const splitConnectionSchema = ofConnection.meta({
  id: 'SplitConnection',
  description: 'Splits a connection of two; a callEvent for each participant requests a decision',
  example: ofConnectionExample,
});

const createConferenceSchema = z
  .strictObject({
    sessionId,
    replyId: replyId.optional(),
    beep: z.boolean().optional().meta({ description: 'Tone when a participant joins or leaves' }),
    maxParticipants: z.number().int().min(2).max(200).optional(),
    recordingFileName: recordingFileName.optional(),
  })
  .meta({
    id: 'CreateConferenceConnection',
    description: 'Creates a connection in which all participants hear each other',
    example: { ...example, beep: true },
  });

const leaveConferenceSchema = z.strictObject({ participantId, connectionId, replyId }).meta({
  id: 'LeaveConference',
  description: 'Removes a participant from a conference; a callEvent requests a decision',
  example: { ...ofConnectionExample, participantId: '7c1f0a52' },
});

const conferenceParticipantSchema = z
  .strictObject({
    participantId,
    connectionId,
    replyId,
    mute: z.boolean().optional().meta({ description: 'The participant is not heard' }),
    hold: z.boolean().optional().meta({ description: 'The participant neither hears nor is heard' }),
    whisperTo: participantId
      .nullable()
      .optional()
      .meta({ description: 'Only participant that hears this one; null: all hear it' }),
  })
  .meta({
    id: 'ConferenceParticipant',
    description: 'Audio settings of a participant',
    example: { ...ofConnectionExample, participantId: '7c1f0a52', mute: true },
  });

const startRecordingSchema = z
  .strictObject({
    replyId,
    connectionId,
    recordingFileName,
    recordingChannels: z.enum(['mixed', 'perParticipant']).optional().meta({
      description:
        'Channels of the recording; absent: one channel for each side of two, one mixed channel for a conference',
    }),
    overwrite: z.boolean().optional().meta({
      description: 'A recording of that name is replaced; absent: the recording fails with the reason exists',
    }),
  })
  .meta({
    id: 'StartRecording',
    description: 'Records a connection',
    example: { ...ofConnectionExample, recordingFileName: 'call-17.wav' },
  });

const recordingControl = (id: string, description: string) =>
  ofConnection.meta({ id, description, example: ofConnectionExample });
const stopRecordingSchema = recordingControl('StopRecording', 'Ends the recording; recordingReady follows');
const pauseRecordingSchema = recordingControl(
  'PauseRecording',
  'Silence is recorded until resumerecording; the duration continues',
);
const resumeRecordingSchema = recordingControl('ResumeRecording', 'Resumes the recording of speech');

const startStreamSchema = z.strictObject({ replyId, connectionId, streamTarget: programStreamSchema }).meta({
  id: 'StartStream',
  description: 'Joins a connection with a program that hears it and may speak in it',
  example: { ...ofConnectionExample, streamTarget: { url: 'wss://ai.example/in' } },
});

const stopStreamSchema = z
  .strictObject({
    replyId,
    connectionId,
    streamId: z.string().min(1).max(64).meta({ description: 'streamId of startstream or streamStarted' }),
  })
  .meta({
    id: 'StopStream',
    description: 'Ends a stream of a connection; streamStopped follows',
    example: { ...ofConnectionExample, streamId: '7c1f0a52' },
  });

const announcementFields = {
  participantId: participantId
    .optional()
    .meta({ description: 'Only participant that hears it; absent: all of the connection' }),
  playMode: z
    .enum(['mix', 'replace'])
    .default('mix')
    .meta({ description: 'replace: nothing else is heard meanwhile' }),
} as const;

const saySchema = ofConnection
  .extend({
    ...announcementFields,
    text: z.string().min(1).max(10_000).meta({ description: 'Text to speak' }),
    language: z
      .string()
      .max(35)
      .optional()
      .meta({ description: 'Language of the text (BCP 47)', example: 'sv-SE' }),
    voice: z.string().max(128).optional().meta({ description: 'Voice of the engine' }),
  })
  .meta({
    id: 'Say',
    description: 'Speaks a text into a connection',
    example: { ...ofConnectionExample, text: 'The call ends in one minute.' },
  });

const playSchema = ofConnection.extend({ ...announcementFields, phrases: phrasesSchema.min(1) }).meta({
  id: 'Play',
  description: 'Plays phrases into a connection',
  example: { ...ofConnectionExample, phrases: [{ format: 'file', fileName: 'notice.wav' }] },
});

/** Every operation of the media service with its body and what it does. */
export const MEDIA_OPERATION_SCHEMAS = {
  placeivrcall: placeIvrCallSchema,
  hangupparticipant: hangUpParticipantSchema,
  hangupremoteparticipant: hangUpRemoteParticipantSchema,
  interruptivrcommand: interruptIvrCommandSchema,
  splitconnection: splitConnectionSchema,
  createconferenceconnection: createConferenceSchema,
  leaveconference: leaveConferenceSchema,
  conferenceparticipant: conferenceParticipantSchema,
  startrecording: startRecordingSchema,
  stoprecording: stopRecordingSchema,
  pauserecording: pauseRecordingSchema,
  resumerecording: resumeRecordingSchema,
  startstream: startStreamSchema,
  stopstream: stopStreamSchema,
  say: saySchema,
  play: playSchema,
} as const;

export type MediaOperation = keyof typeof MEDIA_OPERATION_SCHEMAS;
export const MEDIA_OPERATIONS = Object.keys(MEDIA_OPERATION_SCHEMAS) as readonly MediaOperation[];

/** The request of a media operation; its name distinguishes it. */
export type MediaRequest = {
  readonly [O in MediaOperation]: {
    readonly operation: O;
    readonly body: z.output<(typeof MEDIA_OPERATION_SCHEMAS)[O]>;
  };
}[MediaOperation];

/** Beside `success`: what createconferenceconnection and placeivrcall made. */
export const mediaOperationAnswerSchema = z
  .looseObject({
    success: z.literal(true),
    connectionId: z.string().optional().meta({ description: 'createconferenceconnection' }),
    sessionId: z.string().optional().meta({ description: 'placeivrcall: the new session' }),
    participantId: z.string().optional().meta({ description: 'placeivrcall: participant that is called' }),
    streamId: z.string().optional().meta({ description: 'startstream: the new stream' }),
    headersNotSent: headersNotSentField,
  })
  .meta({ id: 'MediaOperationDone', description: 'The command was accepted; results follow by callback' });

export type PlaceIvrCall = z.output<typeof placeIvrCallSchema>;
