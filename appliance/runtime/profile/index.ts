export { ProfileBook } from './profile-book.ts';
