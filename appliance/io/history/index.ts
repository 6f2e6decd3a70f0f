export { type History, openHistory } from './try-history.ts';
