import { openJournal } from '#appliance/io/sqlite/index.ts';
import { alarm } from './journal-row.ts';

/**
 * A program of its own that stores alarms until it is ended from outside: 20 at a time, each number printed once its
 * commit is acknowledged. A rejected commit prints `storageFailed` and ends it.
 */
const [file = '', first = '1'] = process.argv.slice(2);
// The limit on file sizes of the disk test shows as an error of the write, not as the end of the process.
process.on('SIGXFSZ', () => undefined);
const journal = await openJournal({ file });
let next = Number(first);

async function storeForEver(): Promise<void> {
  for (;;) {
    const n = next++;
    await journal.commit(alarm(n));
    process.stdout.write(`${n}\n`);
  }
}

try {
  await Promise.all(Array.from({ length: 20 }, storeForEver));
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  process.stdout.write(`${code} after which ${journal.openSessions().length} are read\n`);
  process.exit(0);
}
