export { earliest, every, once, oneAtATime } from './timer.ts';
