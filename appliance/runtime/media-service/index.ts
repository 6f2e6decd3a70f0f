/** Public face of media services at work. */
export { MediaServiceDesk } from './media-service-desk.ts';
