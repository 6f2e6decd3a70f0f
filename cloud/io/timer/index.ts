export { every, oneAtATime } from './timer.ts';
