export { earliest, once, oneAtATime } from './timer.ts';
