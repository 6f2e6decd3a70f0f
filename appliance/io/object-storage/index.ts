/** Public face of object storage: files of this host put into storage that speaks S3, or encrypted into a folder. */
export { openLocalStorage } from './local-storage.ts';
export { openObjectStorage } from './object-storage.ts';
