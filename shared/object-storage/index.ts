/** Public face of object storage: what a PUT to an endpoint that speaks S3 looks like, and what its answer means. */
export { objectKey, putAnswer, type SignedPut, type StoredObject, signedPut } from './object-storage.ts';
