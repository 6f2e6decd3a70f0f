/** Public face of traces as the journal has them. */
export { boundedPages, type TracePage, tracePages } from './trace-pages.ts';
