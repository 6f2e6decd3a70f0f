import type { RECORDING_EVENTS } from '#shared/contract/callback/index.ts';

/* Bodies of callbacks whose schema stands for several events: one that is made of it would name fields of others. */

const sessionId = '01jd7z8q4m3v5k2t9xw6rbhync';
const domain = 'care.example';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const replyId = `north.${sessionId}`;
const OF_A_CALL = { sessionId, domain, ivrServer: '192.0.2.10', traceId };

const stream = { streamId: '9d2e1b63-7c1e-4c52-9a3e-2b1f6d0a7c12', url: 'wss://ai.example/in' };
const OF_A_STREAM = {
  ...OF_A_CALL,
  httpTransactionId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c15',
  siteId: 'north',
  siteBaseUrl: 'https://north.care.example:8443',
  replyId,
  ...stream,
};
const startTime = 1_770_000_000_000;

/** The stream of a call, as it began and as it ended. */
export const STREAM_EXAMPLE = {
  started: { ...OF_A_STREAM, event: 'STREAMSTARTED', startTime, channels: 1 },
  stopped: { ...OF_A_STREAM, event: 'STREAMSTOPPED', stopTime: startTime + 42_000, reason: 'callEnded' },
  failed: { ...OF_A_STREAM, event: 'STREAMFAILED', reason: 'The program does not answer' },
};

/** A recording that is whole; a reason would say why it is not. */
export const RECORDING_EXAMPLE = {
  ...OF_A_CALL,
  connectionId: 'c1',
  recordingFileName: 'message.wav',
  fileSize: 48_044,
  event: 'recordingSuccessful',
};

const OF_A_SESSION = { sessionId, domain, traceId, replyId };
const recordingId = '7c1f0a52-7c1e-4c52-9a3e-2b1f6d0a7c11';
const metaData = '<recording/>';

/** The fields that each event of a recording service has beyond those of its session. */
const OF_AN_EVENT: Readonly<Record<keyof typeof RECORDING_EVENTS, object>> = {
  SESSIONSTARTED: { startTime, metaData },
  SESSIONCOMPLETED: {},
  RECORDINGSTARTED: { recordingId, metaData },
  RECORDINGCANCELLED: { recordingId },
  RECORDINGREADY: {
    recordingId,
    fileName: `callrecording/${recordingId}.wav`,
    fileSize: 480_044,
    duration: 15_000,
    cloudUrl: `https://carillon.example/mediaservice/${domain}/promptfile/callrecording%2F${recordingId}.wav`,
    cloudReady: true,
  },
  RECORDINGFAILED: { recordingId, reason: 'The disk of the host is full' },
  RECORDINGSTORED: { recordingId, destinationBucket: 'recordings', fileName: 'call-17.wav' },
  RECORDINGDELETED: { recordingId },
  STREAMSTARTED: { ...stream, metaData },
  STREAMSTOPPED: stream,
  STREAMFAILED: { ...stream, reason: 'The target does not answer' },
  STOPFILERECORDINGFAILED: { recordingId, error: 'no such recording runs' },
  STOPSTREAMFAILED: { streamId: stream.streamId, error: 'no such stream runs' },
};

/** An event of a recording service. */
export const recordingEventExample = (event: keyof typeof RECORDING_EVENTS): object => ({
  event,
  ...OF_A_SESSION,
  ...OF_AN_EVENT[event],
});
