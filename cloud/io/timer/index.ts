export { earliest, every, oneAtATime } from './timer.ts';
