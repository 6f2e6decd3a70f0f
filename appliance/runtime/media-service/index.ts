/** Public face of media services at work. */
export { MediaServiceDesk } from './media-service-desk.ts';
export type { OperationGain, OperationOutcome, RunningCalls } from './media-service-face.ts';
