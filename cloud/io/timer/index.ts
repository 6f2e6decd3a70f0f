export { earliest, once, oneAtATime, type Rounds, repeat } from './timer.ts';
