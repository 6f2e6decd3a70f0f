/** Public face of long work in slices. */
export { slicedJson } from './sliced-json.ts';
export { inSlices, Slices } from './slices.ts';
