/** Public face of streaming: live audio of calls to WebSocket servers. */
export type { StreamEvent, StreamFault, StreamFigures, StreamId, StreamSetting } from './stream-message.ts';
export { openStreamer, type Streamer, type StreamerSetting } from './streamer.ts';
