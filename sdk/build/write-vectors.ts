import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorSet } from './vector.ts';

/** Writes `sdk/vectors/callback.json` with new keys, whose private halves end with this process. */
const folder = join(import.meta.dirname, '..', 'vectors');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'callback.json'), `${JSON.stringify(vectorSet(false), null, 2)}\n`);
