export { bearerName, noteRecordingRead } from './access-note.ts';
export { PrivacyDesk } from './privacy-desk.ts';
