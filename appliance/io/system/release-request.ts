import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NetworkRequest, ReleaseRequest } from '#shared/contract/feed/index.ts';

const WANTED = 'wanted.json';

/**
 * The folder for requests of the appliance to root. Undefined: its unit did not start it in this folder of state, and root
 * would never look there.
 */
export const requestFolder = (
  data: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined => (environment.STATE_DIRECTORY === data ? join(data, 'request') : undefined);

/** A release waits to be taken up. */
export const isReleaseWanted = (folder: string): boolean => existsSync(join(folder, WANTED));

/** Empties the folder for the next release; MB that are free there. */
export async function beginReleaseRequest(folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1_048_576;
}

/** From here on root is asked. The file is whole or not there: `carillon-maintenance.path` waits for its name. */
export const wantRelease = (folder: string, request: ReleaseRequest): Promise<void> =>
  layBefore(folder, WANTED, request);

/** Beside the folder for a release, which is emptied when one is fetched. */
const networkFolder = (folder: string): string => `${dirname(folder)}/network-request`;

/** Root is asked for the addresses of a twin; what waited before is replaced. `folder`: that of `requestFolder`. */
export async function wantNetwork(folder: string, request: NetworkRequest): Promise<void> {
  await mkdir(networkFolder(folder), { recursive: true, mode: 0o700 });
  await layBefore(networkFolder(folder), WANTED, request);
}

/** Whole or not at all, and on the disk. */
export async function layBefore(folder: string, name: string, value: object): Promise<void> {
  const beside = join(folder, `${name}.part`);
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, join(folder, name));
}

/** Removes a request that was begun. */
export const dropReleaseRequest = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true });
