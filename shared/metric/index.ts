export { type CallbackMetric, callbackMetric } from './callback.ts';
export { exposition } from './exposition.ts';
export {
  type Counter,
  counter,
  type Family,
  gauge,
  type Histogram,
  histogram,
  type Labels,
  labelWord,
  type Reading,
} from './family.ts';
export {
  type LoopDelay,
  type OwnProcess,
  type ProcessFigures,
  processFamilies,
  processReader,
} from './process.ts';
