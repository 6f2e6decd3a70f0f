/** Public face of recording services: sessions of recording clients and commands about what was recorded. */
export { RecordingDesk } from './recording-desk.ts';
