export { recoded } from './code-book.ts';
export { ProfileBook } from './profile-book.ts';
