/** Public face of live audio for programs: its framing, the queue of what they say, and the session of one stream. */
export {
  type FromProgram,
  type MediaFormat,
  MediaStreamWriter,
  PROTOCOL,
  readMessage,
  type StreamNames,
  type ToProgram,
} from './media-stream-message.ts';
export { MOST_MARKS, MOST_QUEUED_S, PlayQueue } from './play-queue.ts';
export { SampleReader, SampleWriter } from './sample-format.ts';
export { FRAMES_AHEAD, StreamOutlet } from './stream-outlet.ts';
export {
  type StopReason,
  type StreamEffect,
  type StreamInput,
  StreamSession,
  type StreamSessionSetting,
} from './stream-session.ts';
