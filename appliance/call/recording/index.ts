/** Public face of recording services: sessions of recording clients and commands about what was recorded. */
export { RecordingServices } from './recording-services.ts';
