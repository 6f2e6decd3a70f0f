export { bearerName, noteRecordingRead } from '../../delivery/access-note.ts';
export { PrivacyDesk } from './privacy-desk.ts';
