/**
 * Makes the web console in `cloud/console/dist`, which the cloud serves under `/console`. It runs before every start, and costs 0.1 s
 * while the sources are those of the build that is there; plain JavaScript, because it may run on the Node of the system.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBuildList } from './console/build-list.mjs';
import { ROOT, sumOfSources } from './console/source-sum.mjs';

/**
 * Resolves when the files are there; rejects with what Vite has to say about the sources. The files of the build before stay
 * beside the new ones, so that a page that is open goes on; what is older goes.
 */
export async function buildConsole(to = join(ROOT, 'cloud', 'console', 'dist')) {
  const source = sumOfSources();
  const last = readBuildList(to);
  if (last.source === source && last.files.every((name) => existsSync(join(to, name)))) return;
  const { bundleConsole } = await import('./console/bundle.mjs');
  await bundleConsole(to, source);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildConsole();
