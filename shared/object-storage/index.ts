/** Public face of object storage: requests to an endpoint that speaks S3, and the meaning of the answer to a PUT. */
export {
  type ObjectPlace,
  objectKey,
  putAnswer,
  type SignedPut,
  type StoredObject,
  signedPut,
  signedRequest,
} from './object-storage.ts';
