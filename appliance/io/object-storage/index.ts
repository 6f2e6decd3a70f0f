/** Public face of object storage: files of this host put into storage that speaks S3. */
export { openObjectStorage } from './object-storage.ts';
