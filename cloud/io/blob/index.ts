/** Public face of blobs: bytes under their hash, what sound they hold, and the local object store. */
export { openBlobStore } from './blob-store.ts';
export { objectStorageFault } from './object-storage-fault.ts';
export { openObjectStore } from './object-store.ts';
export { openS3BlobStore, type S3BlobStore } from './s3-blob-store.ts';
export { openS3Store } from './s3-store.ts';
export { urlSignature } from './url-signature.ts';
