/** Public face: masked copies of callbacks for a developer who listens. */
export { CallbackCopies, type CopyAnswer, type CopyQuery } from './callback-copies.ts';
export { INERT, maskedBody } from './mask.ts';
