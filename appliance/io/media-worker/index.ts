/** Public face of the media workers: the real `Media`. */
export type { WorkerLoad } from './message.ts';
export { type MediaSetting, type OpenMedia, openMedia } from './open-media.ts';
