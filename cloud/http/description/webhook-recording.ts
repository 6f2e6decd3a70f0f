import { z } from '@hono/zod-openapi';
import {
  newRecordingCallSchema,
  RECORDING_EVENTS,
  recordingDecisionSchema,
} from '#shared/contract/callback/index.ts';
import { recordingEventExample } from './webhook-example.ts';

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

const NAMES = Object.keys(RECORDING_EVENTS) as [keyof typeof RECORDING_EVENTS];

const text = (description: string) => z.string().meta({ description });

const recordingEventSchema = z
  .looseObject({
    event: z.enum(NAMES),
    sessionId: text('Recording session'),
    domain: text('Tenant'),
    traceId: text('Trace of the session'),
    replyId: text('Handle for commands').optional(),
    commandRegion: text('Site of the session').optional(),
    commandQueue: text('URL of the topic that takes commands of the session').optional(),
    recordingId: text('File recording').optional(),
    streamId: text('Stream').optional(),
    metaData: text('Recording metadata as received').optional(),
    recordingReferenceId: z.looseObject({}).optional().meta({ description: 'As startFileRecording gave it' }),
    streamReferenceId: z.looseObject({}).optional().meta({ description: 'As startStream gave it' }),
    url: text('Target of the stream').optional(),
    destinationBucket: text('Bucket of the stored recording').optional(),
    fileName: text('Name of the file, by which the operations of prompt files know it').optional(),
    fileSize: z.number().int().optional().meta({ description: 'Size', 'x-unit': 'bytes' }),
    duration: z.number().optional().meta({ description: 'Length', 'x-unit': 'ms' }),
    siteId: text('Site of the session').optional(),
    siteBaseUrl: text('Base URL of operations at the site').optional(),
    startTime: z.number().int().optional().meta({ description: 'Begin, ms since 1970' }),
    siteUrl: text('Address of the file at the site, for a token of the tenant; it needs no WAN').optional(),
    cloudUrl: text('Address of the file at the control plane, for a token of the tenant').optional(),
    cloudReady: z.boolean().optional().meta({
      description: 'Whether cloudUrl answers with the file now. False: fetch it at siteUrl, or later',
    }),
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
    NAMES.map((event) => [
      `callrecording${RECORDING_EVENTS[event]}`,
      { summary: SUMMARY[event], body: recordingEventSchema, example: recordingEventExample(event) },
    ]),
  ),
};
