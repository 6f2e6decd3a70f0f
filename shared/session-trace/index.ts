/** Public face of traces: from what a host keeps to what a reader gets. */
export { mediaCurves } from './media-curve.ts';
export {
  BoundedPages,
  boundedSteps,
  LEFT_OUT,
  TRACE_MOST_BYTES,
  TRACE_MOST_STEPS,
} from './trace-bound.ts';
export { stepsOf } from './trace-step.ts';
