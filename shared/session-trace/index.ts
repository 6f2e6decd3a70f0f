/** Public face of traces: from what a host keeps to what a reader gets. */
export { mediaCurves } from './media-curve.ts';
export { stepsOf } from './trace-step.ts';
