import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from './database/open-sqlite.ts';
import { faultOfPages, isDamage } from './salvage/index.ts';

/** Entry of the thread that looks at all pages of a large journal while it is in use, once: it posts what is wrong, or null. */
const { file } = workerData as { readonly file: string };

function look(): string | null {
  const db = openSqlite({ file, readonly: true });
  try {
    return faultOfPages(db) ?? null;
  } catch (thrown) {
    if (isDamage(thrown)) return (thrown as Error).message;
    throw thrown;
  } finally {
    db.close();
  }
}

parentPort?.postMessage(look());
