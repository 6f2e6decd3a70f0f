export { recoded } from './code-tables.ts';
export { lacsFrom } from './message-profile.ts';
export { ProfileTables } from './profile-tables.ts';
export { rb2000From } from './tone-profile.ts';
