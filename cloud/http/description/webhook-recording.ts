import { z } from '@hono/zod-openapi';
import {
  newRecordingCallSchema,
  RECORDING_EVENTS,
  recordingDecisionSchema,
} from '#shared/contract/callback/index.ts';

/** The content of each event of a recording service. */
const SUMMARY: Readonly<Record<keyof typeof RECORDING_EVENTS, string>> = {
  SESSIONSTARTED: 'The service answered a recording session',
  SESSIONCOMPLETED: 'A recording session ended',
  RECORDINGSTARTED: 'A file recording began',
  RECORDINGCANCELLED: 'A file recording was discarded',
  RECORDINGREADY: 'A file recording is in temporary storage; a reason marks a recording that was cut off',
  RECORDINGFAILED: 'A file recording failed',
  RECORDINGSTORED: 'A recording was stored in a bucket',
  RECORDINGDELETED: 'A recording was deleted from temporary storage',
  STREAMSTARTED: 'A target took the first connection of a stream',
  STREAMSTOPPED: 'A stream ended as asked',
  STREAMFAILED: 'A stream ended with an error',
  STOPFILERECORDINGFAILED: 'stopfilerecording named no running recording',
  STOPSTREAMFAILED: 'stopstream named no running stream',
};

const text = (description: string) => z.string().meta({ description });

const recordingEventSchema = z
  .looseObject({
    event: z.enum(Object.keys(RECORDING_EVENTS) as [keyof typeof RECORDING_EVENTS]),
    sessionId: text('Recording session'),
    domain: text('Tenant'),
    traceId: text('Trace of the session'),
    replyId: text('Handle for commands').optional(),
    commandRegion: text('Site of the session').optional(),
    commandQueue: text('URL of the topic that takes commands of the session').optional(),
    recordingId: text('File recording').optional(),
    streamId: text('Stream').optional(),
    metaData: text('Recording metadata as received').optional(),
    fileName: text('Name of the file').optional(),
    fileSize: z.number().int().optional().meta({ description: 'Size', 'x-unit': 'bytes' }),
    duration: z.number().optional().meta({ description: 'Length', 'x-unit': 'ms' }),
    reason: text('Cause of the failure').optional(),
    error: text('Cause of the failure of a command').optional(),
  })
  .meta({ id: 'RecordingEvent', description: 'An event of a recording service' });

/** Callbacks of recording services, below their own callbackBaseUrl. */
export const RECORDING_WEBHOOKS = {
  'callrecording/newCall': {
    summary: 'A recording session is requested; the answer decides about it',
    body: newRecordingCallSchema,
    answer: recordingDecisionSchema,
  },
  ...Object.fromEntries(
    Object.entries(RECORDING_EVENTS).map(([event, path]) => [
      `callrecording${path}`,
      { summary: SUMMARY[event as keyof typeof RECORDING_EVENTS], body: recordingEventSchema },
    ]),
  ),
};
