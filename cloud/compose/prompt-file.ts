import { join } from 'node:path';
import {
  openBlobStore,
  openObjectStore,
  openS3BlobStore,
  openS3Store,
  urlSignature,
} from '../io/blob/index.ts';
import { type BlobStore, type PromptFiles, promptFiles } from '../provisioning/index.ts';
import type { RecordingRelay } from '../site/index.ts';
import { mayReadPrompts } from '../tenant/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Prompt storage: in the bucket of the control plane, or below the data folder. */
export function openPromptFiles(
  infrastructure: Infrastructure,
  publicUrl: string,
  sites: Pick<RecordingRelay, 'find' | 'open'>,
): PromptFiles {
  const {
    config: { data, s3 },
    keys,
    store,
    trustPem,
  } = infrastructure;
  return promptFiles({
    store,
    blobs: openBlobs(infrastructure),
    objects:
      s3 === undefined
        ? openObjectStore(join(data, 'object'), join(data, 'key', 'object'))
        : openS3Store(s3, trustPem),
    ...urlSignature(keys.of('promptUrl').text()),
    publicUrl,
    sites,
    mayRead: mayReadPrompts,
  });
}

function openBlobs({ config: { data, s3 }, trustPem, log }: Infrastructure): BlobStore {
  const folder = join(data, 'blob');
  if (s3?.bucket === undefined) return openBlobStore(folder);
  const blobs = openS3BlobStore({ ...s3, bucket: s3.bucket }, folder, trustPem);
  blobs.copyFolder().then(
    (copied) => {
      if (copied > 0)
        log('info', 'blob_folder.copied', 'Copied the files of the data folder into the object storage', {
          copied,
        });
    },
    (cause: unknown) =>
      log(
        'warn',
        'blob_folder.copy_failed',
        'Could not copy the files of the data folder into the object storage',
        { cause: String(cause) },
      ),
  );
  return blobs;
}
