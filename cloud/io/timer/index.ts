export { earliest, every, oneAfterAnother, oneAtATime } from './timer.ts';
