import { join } from 'node:path';
import { openBlobStore, openObjectStore, urlSignature } from '../io/blob/index.ts';
import { keptToken } from '../io/key/index.ts';
import { type PromptFiles, promptFiles } from '../provisioning/index.ts';
import type { Ground } from './ground.ts';

/** Prompt storage below the data folder. */
export const openPromptFiles = ({ config: { data }, store }: Ground, publicUrl: string): PromptFiles =>
  promptFiles({
    store,
    blobs: openBlobStore(join(data, 'blob')),
    objects: openObjectStore(join(data, 'object'), join(data, 'key', 'object')),
    ...urlSignature(keptToken(join(data, 'key', 'prompt-url'))),
    publicUrl,
  });
