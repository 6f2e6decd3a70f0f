import { z } from 'zod';
import { fileTargetSchema, streamTargetSchema } from '../callback/index.ts';

const replyId = z.string().min(1).max(4_096).meta({ description: 'replyId of a callback of the session' });
const id = z.string().min(1).max(64);
const stretch = z.strictObject({ from: z.number().min(0).optional(), to: z.number().min(0).optional() });

/** One value, or several lines of the same name. */
const lines = z.union([z.string().max(2_048), z.array(z.string().max(2_048)).max(20)]);

const about = (method: string, example: object) => ({
  id: `Recording_${method.toLowerCase()}`,
  description: `Command ${method} of call recording`,
  example: { method, replyId: 'eyJ…', ...example },
});

/** Commands of document 3, 4.3: `method` names the command, in upper case. */
const ofRecording = (method: string) =>
  z
    .strictObject({ method: z.literal(method), replyId, recordingId: id })
    .meta(about(method, { recordingId: '7c1f0a52' }));
const ofSession = { replyId, sessionId: id };

export const RECORDING_COMMAND_SCHEMAS = {
  startfilerecording: z
    .strictObject({
      method: z.literal('STARTFILERECORDING'),
      ...ofSession,
      fileTarget: fileTargetSchema.optional(),
    })
    .meta(about('STARTFILERECORDING', { sessionId: '01j9z3n6t2' })),
  startstream: z
    .strictObject({
      method: z.literal('STARTSTREAM'),
      ...ofSession,
      streamTarget: streamTargetSchema,
    })
    .meta(about('STARTSTREAM', { sessionId: '01j9z3n6t2', streamTarget: { url: 'wss://ai.example/in' } })),
  stopfilerecording: z
    .strictObject({
      method: z.literal('STOPFILERECORDING'),
      ...ofSession,
      recordingId: id,
    })
    .meta(about('STOPFILERECORDING', { sessionId: '01j9z3n6t2', recordingId: '7c1f0a52' })),
  stopstream: z
    .strictObject({ method: z.literal('STOPSTREAM'), ...ofSession, streamId: id })
    .meta(about('STOPSTREAM', { sessionId: '01j9z3n6t2', streamId: '7c1f0a52' })),
  stopsession: z
    .strictObject({ method: z.literal('STOPSESSION'), ...ofSession })
    .meta(about('STOPSESSION', { sessionId: '01j9z3n6t2' })),
  startsiprecforward: z
    .strictObject({
      method: z.literal('STARTSIPRECFORWARD'),
      ...ofSession,
      destinations: z
        .array(z.string().min(1).max(512))
        .min(1)
        .max(8)
        .meta({ description: 'SIP addresses of recording servers; each gets a session of its own' }),
      headers: z
        .record(
          z.string().regex(/^[XxPp]-[A-Za-z0-9\-.!%*_+`'~]{1,64}$/, 'must be the name of an X- or P- header'),
          lines,
        )
        .optional()
        .meta({ description: 'Further headers of the INVITE', example: { 'X-Case': '17' } }),
      metadata: z
        .record(z.string().min(1).max(64), z.string().max(2_048))
        .optional()
        .meta({ description: 'Fields added to the recording metadata, by name', example: { case: '17' } }),
    })
    .meta(
      about('STARTSIPRECFORWARD', {
        sessionId: '01j9z3n6t2',
        destinations: ['sip:recorder@archive.example;transport=tcp'],
      }),
    ),
  stopsiprecforward: z
    .strictObject({
      method: z.literal('STOPSIPRECFORWARD'),
      ...ofSession,
      streamId: id
        .optional()
        .meta({ description: 'Forwards of one startsiprecforward; absent: all forwards of the session' }),
    })
    .meta(about('STOPSIPRECFORWARD', { sessionId: '01j9z3n6t2' })),
  stoprecording: ofRecording('STOPRECORDING'),
  cancelrecording: ofRecording('CANCELRECORDING'),
  deleterecording: ofRecording('DELETERECORDING'),
  storerecording: z
    .strictObject({
      method: z.literal('STORERECORDING'),
      replyId,
      recordingId: id,
      destinationBucket: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,62}$/, { message: 'must be 2 to 63 of a-z, 0-9, - and .' }),
      fileName: z.string().min(1).max(200).optional(),
      encryptionKey: z
        .string()
        .regex(/^[A-Za-z0-9._:/-]{1,256}$/)
        .optional(),
      modificationParams: z
        .strictObject({
          absoluteTimes: z.boolean().optional(),
          trim: stretch.optional(),
          mask: stretch.optional(),
        })
        .optional(),
    })
    .meta(about('STORERECORDING', { recordingId: '7c1f0a52', destinationBucket: 'archive' })),
} as const;

export type RecordingCommand = keyof typeof RECORDING_COMMAND_SCHEMAS;
export const RECORDING_COMMANDS = Object.keys(RECORDING_COMMAND_SCHEMAS) as readonly RecordingCommand[];
export type RecordingRequest = {
  [C in RecordingCommand]: {
    readonly command: C;
    readonly body: z.output<(typeof RECORDING_COMMAND_SCHEMAS)[C]>;
  };
}[RecordingCommand];
