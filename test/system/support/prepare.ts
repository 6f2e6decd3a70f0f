/**
 * `node test/system/support/prepare.ts FOLDER`: makes what the machines are made of before the suite asks for it, which is
 * minutes of packing and of waiting for a mirror: the packages into FOLDER, where `TEST_RELEASE` finds them, and
 * every root file system.
 */
import { mkdirSync } from 'node:fs';
import { MACHINE_PACKAGES } from './machine-packages.ts';
import { buildRelease } from './release.ts';
import { rootFileSystem } from './root-file-system.ts';

/** It has less of the processor than others. */
const WITHIN_MS = 2_400_000;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder that the packages go to');
mkdirSync(folder, { recursive: true });
await buildRelease(folder, WITHIN_MS);
await rootFileSystem('bookworm', MACHINE_PACKAGES.speech);
for (const name of ['network', 'vip', 'time'] as const)
  await rootFileSystem('trixie', MACHINE_PACKAGES[name]);
