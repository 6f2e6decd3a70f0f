import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logDocument, logEventsOf } from './log-event-list.ts';

/** Renews the list of events in `docs/logging.md`: `npm run docs:log`. */
const root = join(import.meta.dirname, '..', '..');
const file = join(root, 'docs', 'logging.md');
const { events, faults } = logEventsOf(root);
for (const { path, line, fault } of faults) process.stderr.write(`${path}:${line} ${fault}\n`);
writeFileSync(file, logDocument(readFileSync(file, 'utf8'), events));
process.exitCode = faults.length > 0 ? 1 : 0;
