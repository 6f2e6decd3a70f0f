import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from '#shared/contract/feed/index.ts';
import { readBundle } from '../io/edge/index.ts';

/** Where `carillon bundle apply` puts what was carried here. */
export const bundleFile = (folder: string): string => join(folder, 'bundle.json');

/** The bundle that lies in `folder`, read again when another one is put there. */
export function bundleOf(folder: string): () => Bundle | undefined {
  const file = bundleFile(folder);
  let readAtMs = 0;
  let bundle: Bundle | undefined;
  return () => {
    const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedMs === readAtMs) return bundle;
    readAtMs = changedMs;
    const read = changedMs === 0 ? undefined : readBundle(file);
    bundle = read?.ok ? read.value : undefined;
    return bundle;
  };
}
