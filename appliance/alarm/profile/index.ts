export { recoded } from './code-tables.ts';
export { ProfileTables } from './profile-tables.ts';
