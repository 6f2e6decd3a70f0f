export { type Remembered, RepeatMemory } from './repeat-memory.ts';
export {
  isSameSource,
  judgeRepeat,
  MOST_POSSIBLE,
  NOWHERE,
  type Origin,
  type RepeatVerdict,
  sourceName,
  type Telling,
} from './source.ts';
