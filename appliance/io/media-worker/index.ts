/** Public face of the media workers: the real `Media`. */
export type { WorkerLoad } from './message.ts';
export { type MediaSetting, type OpenMedia, openMedia, type StartedMedia, startMedia } from './open-media.ts';
