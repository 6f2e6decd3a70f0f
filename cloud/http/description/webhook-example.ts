/* Bodies of callbacks whose schema stands for several events: one that is made of it would name fields of others. */

const OF_A_CALL = {
  sessionId: '01jd7z8q4m3v5k2t9xw6rbhync',
  domain: 'care.example',
  ivrServer: '192.0.2.10',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
};
const OF_A_STREAM = {
  ...OF_A_CALL,
  httpTransactionId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c15',
  siteId: 'north',
  siteBaseUrl: 'https://north.care.example:8443',
  replyId: 'north.01jd7z8q4m3v5k2t9xw6rbhync',
  streamId: '9d2e1b63-7c1e-4c52-9a3e-2b1f6d0a7c12',
  url: 'wss://ai.example/in',
};

/** The stream of a call, as it began and as it ended. */
export const STREAM_EXAMPLE = {
  started: { ...OF_A_STREAM, event: 'STREAMSTARTED', startTime: 1_770_000_000_000, channels: 1 },
  stopped: { ...OF_A_STREAM, event: 'STREAMSTOPPED', stopTime: 1_770_000_042_000, reason: 'callEnded' },
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
