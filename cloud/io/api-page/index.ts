import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Reads one file of the API page's assets. `name` comes from the list of `cloud/http/docs.ts`, never from a request. */
export const readDocsAsset = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  readFile(fileURLToPath(new URL(name, import.meta.resolve('swagger-ui-dist/package.json'))));
