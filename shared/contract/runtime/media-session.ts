import { z } from 'zod';
import { sessionReferenceField } from '../callback/index.ts';

const text = (description: string) => z.string().meta({ description });

/** GET /mediaservice/{domain}/session (beyond the documents): an application that has restarted finds its calls. */
export const mediaSessionQuerySchema = z
  .strictObject({
    mediaserviceId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Sessions of this media service only' }),
    limit: z.coerce.number().int().min(1).max(100).default(100).meta({ description: 'Sessions on one page' }),
    nextToken: z.string().min(1).max(64).optional().meta({ description: 'nextToken of the previous page' }),
  })
  .meta({ id: 'MediaSessionQuery', description: 'Filter of the sessions', example: { limit: 100 } });

/** Question to a host: a page of sessions, or one of them. */
export const mediaSessionAskSchema = mediaSessionQuerySchema.extend({
  sessionId: z.string().min(1).max(64).optional(),
});

const about = {
  sessionId: text('Session'),
  mediaserviceId: text('Media service whose application decides'),
  traceId: text('Trace of the session'),
  siteId: text('Site that handles the session'),
  hostId: text('Host that handles the session'),
  siteBaseUrl: text('Base URL of further calls for the session'),
  startTime: z.number().int().meta({ description: 'Begin of the session, epoch ms' }),
  callingParty: text('Caller at the beginning'),
  calledParty: text('Called party at the beginning'),
  sessionReferenceId: sessionReferenceField,
  replyId: text('Copied into operations on the session'),
} as const;

const count = (description: string) => z.number().int().min(0).meta({ description });

export const mediaSessionEntrySchema = z
  .object({
    ...about,
    participantCount: count('Participants, without IVRs'),
    connectionCount: count('Connections between them'),
  })
  .meta({ id: 'MediaSessionEntry', description: 'A running session of a media service' });

const PARTICIPANT_STATES = ['deciding', 'answering', 'waiting', 'ringing', 'greeting', 'connected'] as const;

const participantSchema = z
  .object({
    participantId: text('Participant'),
    type: z
      .enum(['sip', 'http', 'ivr'])
      .meta({ description: 'SIP endpoint, application with httpcall, or IVR' }),
    role: z
      .enum(['caller', 'callee', 'placed', 'monitor', 'ivr'])
      .meta({ description: 'placed: called by placeivrcall' }),
    state: z.enum(PARTICIPANT_STATES).meta({
      description:
        'deciding: the application is asked; answering: its call is being answered; waiting: for a callee; ringing: it is called; greeting: it hears a greeting; connected: in a connection',
    }),
    answered: z.boolean().meta({ description: 'Its call is answered' }),
    user: z.string().optional().meta({ description: 'User part of its address' }),
    sipCallId: z.string().optional().meta({ description: 'Call-ID of its call' }),
    connectionId: z.string().optional().meta({ description: 'Connection of the participant' }),
  })
  .meta({ id: 'MediaParticipant', description: 'A participant of a running session' });

const connectionSchema = z
  .object({
    connectionId: text('Connection'),
    type: z.enum(['pair', 'ivr', 'conference']).meta({ description: 'Kind of connection' }),
    participants: z
      .array(
        z.object({
          participantId: text('Participant'),
          mute: z.boolean().optional().meta({ description: 'The participant is not heard' }),
          hold: z.boolean().optional().meta({ description: 'The participant neither hears nor is heard' }),
          whisperTo: z.string().optional().meta({ description: 'Only participant that hears this one' }),
        }),
      )
      .meta({ description: 'Participants; of two, the caller comes first, of an IVR its party' }),
    recording: z
      .object({
        recordingFileName: text('Name in prompt storage'),
        paused: z.boolean().meta({ description: 'Silence is recorded' }),
      })
      .optional()
      .meta({ description: 'Recording of the connection' }),
    streams: z
      .array(
        z.object({
          streamId: text('Stream'),
          url: text('WebSocket URL without its query'),
          bidirectional: z.boolean().meta({ description: 'The program may speak' }),
        }),
      )
      .meta({ description: 'Programs that hear the connection' }),
    replyId: text('Copied into operations on the connection'),
  })
  .meta({ id: 'MediaConnection', description: 'A connection of a running session' });

const mediaSessionSchema = z
  .object({ ...about, participants: z.array(participantSchema), connections: z.array(connectionSchema) })
  .meta({ id: 'MediaSession', description: 'A running session with its participants and connections' });

export const mediaSessionListSchema = z
  .object({
    success: z.literal(true),
    sessions: z.array(mediaSessionEntrySchema).meta({ description: 'In the order of sessionId' }),
    nextToken: z.string().optional().meta({ description: 'Absent: this is the last page' }),
    missingHosts: z
      .array(z.string())
      .optional()
      .meta({ description: 'Cloud only: hosts that did not answer, as site/host' }),
    olderHosts: z.array(z.string()).optional().meta({
      description: 'Cloud only: hosts among them whose release cannot answer this request',
    }),
  })
  .meta({
    id: 'MediaSessionList',
    description: 'Running sessions of the host at a site; in the cloud those of all hosts of the tenant',
  });

export const mediaSessionAnswerSchema = z
  .object({ success: z.literal(true), session: mediaSessionSchema })
  .meta({ id: 'MediaSessionAnswer', description: 'A running session' });

export type MediaSessionAsk = z.output<typeof mediaSessionAskSchema>;
export type MediaSessionEntry = z.output<typeof mediaSessionEntrySchema>;
export type MediaSessionView = z.output<typeof mediaSessionSchema>;
