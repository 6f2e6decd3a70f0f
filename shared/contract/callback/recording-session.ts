import { z } from 'zod';

const text = (description: string) => z.string().meta({ description });
const reference = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Object of the application, copied into later callbacks' });

/** Where audio goes live (media document 4.3 and 6.1). */
export const streamTargetSchema = z
  .strictObject({
    url: text('WebSocket URL').min(1).max(2_048),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Value that is sent unchanged' }),
    trustSelfSigned: z
      .boolean()
      .optional()
      .meta({ description: 'The certificate of the target is not verified' }),
    channels: z
      .array(z.union([z.string(), z.number().int()]))
      .max(16)
      .optional()
      .meta({ description: 'Labels of the streams, in the order of the frame; default all' }),
    chunkDuration: z.number().int().min(20).max(1_000).optional().meta({
      description: 'Duration of the audio of each channel in one frame, a multiple of 20',
      'x-unit': 'ms',
    }),
    streamReferenceId: reference.optional(),
  })
  .meta({
    id: 'StreamTarget',
    description: 'Target of live audio',
    example: { url: 'wss://ai.example/in' },
  });

/** Labels of streams or `undefined`; the fault of a target that no stream can go to, with its place below the target. */
export function streamTargetFault(
  { url, channels = [], chunkDuration = 20 }: Pick<StreamTarget, 'url' | 'channels' | 'chunkDuration'>,
  labels: readonly string[],
): { readonly path: string; readonly reason: string } | undefined {
  if (!/^wss?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    return { path: '/url', reason: 'url must be a WebSocket address that begins with wss:// or ws://' };
  if (chunkDuration % 20 !== 0)
    return {
      path: '/chunkDuration',
      reason: `chunkDuration must be a multiple of 20 ms, and is ${chunkDuration}`,
    };
  const index = channels.findIndex((label) => !labels.includes(String(label)));
  if (index < 0) return undefined;
  const present = labels.length === 0 ? 'no stream' : `the labels ${labels.join(', ')}`;
  return {
    path: `/channels/${index}`,
    reason: `no stream has the label ${channels[index]}; the session has ${present}`,
  };
}

export const fileTargetSchema = z.strictObject({ recordingReferenceId: reference.optional() }).meta({
  id: 'FileTarget',
  description: 'A recording to a file',
  example: { recordingReferenceId: { case: '17' } },
});

/** Callback /newCall of a recording service (media document 6.1). */
export const newRecordingCallSchema = z
  .looseObject({
    recordingId: text('Id of the first file recording of the session'),
    metaData: text('Recording metadata as received (RFC 7865)'),
    metaDataWarning: text('Reason for which the metadata cannot be read; the recording runs').optional(),
    sipRecCallId: text('Call-ID of the recording session'),
    sessionId: text('Recording session'),
    domain: text('Tenant'),
    traceId: text('Trace of the session'),
    replyId: text('Handle for commands'),
  })
  .meta({
    id: 'NewRecordingCall',
    description: 'A recording session is requested and waits for the answer',
    example: {
      recordingId: '7c1f0a52-0000-4000-8000-000000000000',
      metaData: '<recording/>',
      sipRecCallId: 'a84b4c76e66710@192.0.2.30',
      sessionId: '01j9z3n6t2',
      domain: 'care.example',
      traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
      replyId: 'eyJ…',
    },
  });

export const recordingDecisionSchema = z
  .object({
    drop: z.boolean().optional().meta({ description: 'End the session' }),
    traceId: z.string().max(128).optional().meta({
      description:
        'Trace of the call at the application, visible ASCII characters; the session has this traceId from now on',
    }),
    sessionReferenceId: reference.optional(),
    startStream: streamTargetSchema.optional(),
    startFileRecording: fileTargetSchema.optional(),
    recordCall: z
      .boolean()
      .optional()
      .meta({ description: 'Older form: true answers and records, false rejects' }),
    wait: z.boolean().optional().meta({ description: 'Answer, and wait for commands' }),
  })
  .meta({
    id: 'RecordingDecision',
    description:
      'Decision about a recording session. An answer that names none of startFileRecording, startStream and wait takes the session and records nothing; SESSIONSTARTED then has a reason',
    example: { startFileRecording: {} },
  });

/** Every event of a recording service: callbacks of media document 6.1 and decisions 5. */
export const RECORDING_EVENTS = {
  SESSIONSTARTED: '/sessionStarted',
  SESSIONCOMPLETED: '/sessionCompleted',
  RECORDINGSTARTED: '/recordingStarted',
  RECORDINGCANCELLED: '/recordingCancelled',
  RECORDINGREADY: '/recordingReady',
  RECORDINGFAILED: '/recordingFailed',
  RECORDINGSTORED: '/recordingStored',
  RECORDINGDELETED: '/recordingDeleted',
  STREAMSTARTED: '/streamStarted',
  STREAMSTOPPED: '/streamStopped',
  STREAMFAILED: '/streamFailed',
  STOPFILERECORDINGFAILED: '/stopFileRecordingFailed',
  STOPSTREAMFAILED: '/stopStreamFailed',
} as const;

export type RecordingEvent = keyof typeof RECORDING_EVENTS;
export type RecordingDecision = z.output<typeof recordingDecisionSchema>;
export type StreamTarget = z.output<typeof streamTargetSchema>;
