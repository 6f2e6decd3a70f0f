import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCommand } from '../command/root.ts';
import { summariesOf, summaryModule } from '../command/shell/command-list.ts';

/** Renews the summaries of the commands for `carillon --help`: `npm run docs:commands`. The commands are described and never run. */
const file = join(import.meta.dirname, '..', 'command', 'shell', 'command-summary.ts');
writeFileSync(file, summaryModule(summariesOf(await rootCommand({} as never, {}))));
