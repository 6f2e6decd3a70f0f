import { join } from 'node:path';
import { openBlobStore, openObjectStore, openS3Store, urlSignature } from '../io/blob/index.ts';
import { keptToken } from '../io/key/index.ts';
import { type PromptFiles, promptFiles } from '../provisioning/index.ts';
import type { RecordingRelay } from '../site/index.ts';
import { mayReadPrompts } from '../tenant/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Prompt storage below the data folder. */
export const openPromptFiles = (
  { config: { data, s3 }, store, trustPem }: Infrastructure,
  publicUrl: string,
  sites: Pick<RecordingRelay, 'find' | 'open'>,
): PromptFiles =>
  promptFiles({
    store,
    blobs: openBlobStore(join(data, 'blob')),
    objects:
      s3 === undefined
        ? openObjectStore(join(data, 'object'), join(data, 'key', 'object'))
        : openS3Store(s3, trustPem),
    ...urlSignature(keptToken(join(data, 'key', 'prompt-url'))),
    publicUrl,
    sites,
    mayRead: mayReadPrompts,
  });
