export { recoded } from './code-book.ts';
export { ProfileTables } from './profile-book.ts';
