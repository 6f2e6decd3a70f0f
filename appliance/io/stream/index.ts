/** Public face of streaming: live audio of calls to WebSocket servers. */
export { openStreamer, type StreamerSetting } from './streamer.ts';
export { type Target, targetOf } from './target.ts';
