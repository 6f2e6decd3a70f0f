export { bearerName, noteRecordingRead } from '../../delivery/access-note.ts';
export { PersonalData } from './personal-data.ts';
