import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionDocument } from './decision-list.ts';

/** Writes `docs/decisions.md`: `npm run docs:decisions`. */
const root = join(import.meta.dirname, '..', '..');
writeFileSync(join(root, 'docs', 'decisions.md'), decisionDocument(root));
