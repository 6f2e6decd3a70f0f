import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallationPlace } from '../installation/index.ts';
import { readMigrations, tablesInOrder } from '../io/database/index.ts';
import { isKeyGiven } from '../io/key/index.ts';
import { migrationsRan, namedRows, pendingMigrations, type StorePort, withSnapshot } from '../store/index.ts';
import { ArchiveSum, frames, type Manifest, writeArchive } from './archive.ts';
import { ArchiveFault, type SealTo } from './cipher.ts';
import { filesBeside } from './file-list.ts';

/** How far a backup or a restore is. */
export interface BackupProgress {
  readonly table: string | undefined;
  readonly rows: number;
  readonly files: number;
}

export interface BackupOrder {
  readonly place: InstallationPlace;
  /** Whether files of prompts lie in object storage. */
  readonly objects: Manifest['objects'];
  readonly file: string;
  readonly to: SealTo;
  readonly owner: string;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly onProgress: (progress: BackupProgress) => void;
}

export interface WrittenBackup {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly files: number;
  readonly missing: readonly string[];
  /** Size of the archive in bytes. */
  readonly size: number;
}

const CHUNK = 256 * 1024;

/** Writes everything of an installation into one encrypted file, while its control plane goes on. Throws one sentence. */
export async function writeBackup(port: StorePort, order: BackupOrder): Promise<WrittenBackup> {
  const { place, file, onProgress } = order;
  if (existsSync(file)) throw new ArchiveFault(`${file} is there already: name another file.`);
  const pending = await pendingMigrations(port, readMigrations(port.connection.dialect));
  if (pending.length > 0)
    throw new ArchiveFault(
      `${pending.join(', ')} did not run yet: start the cloud, or run carillon db migrate.`,
    );
  const ownKey = ownVaultKey(place);
  const tables = await tablesInOrder(port.connection);
  return await withSnapshot(port, async (at) => {
    const manifest: Manifest = {
      ...{ format: 'carillon-backup', v: 1, madeAt: order.madeAt, owner: order.owner },
      ...{ expiresAt: order.expiresAt, dialect: port.connection.dialect, objects: order.objects },
      migrations: await migrationsRan(at),
      vaultKey: port.vault.keyName,
      holdsVaultKey: ownKey !== undefined,
    };
    const sum = new ArchiveSum();
    const wanted = new Set<string>();
    let missing: readonly string[] = [];
    async function* parts(): AsyncGenerator<Buffer> {
      yield frames.manifest(manifest);
      if (ownKey !== undefined) yield frames.vaultKey(ownKey);
      for await (const { table, rows } of namedRows(at, tables)) {
        sum.add(table, rows);
        if (table === 'prompt_file') for (const row of rows) wanted.add(String(row.sha256));
        yield frames.rows(table, rows);
        onProgress({ table, rows: sum.rows, files: 0 });
      }
      for (const head of await filesBeside(place.data)) {
        const bytes = bytesOf(join(place.data, head.path), head.size);
        sum.files += 1;
        yield frames.file(head);
        for await (const chunk of bytes) yield frames.data(chunk);
        wanted.delete(head.path.split('/').at(-1) ?? '');
        onProgress({ table: undefined, rows: sum.rows, files: sum.files });
      }
      missing = order.objects === 'bucket' ? [] : [...wanted];
      yield frames.end(sum.end(missing));
    }
    const size = await writeArchive(file, parts(), order.to);
    return { manifest, rows: sum.rows, files: sum.files, missing, size };
  });
}

/** The vault key that lies in the data folder, and is lost with it; undefined = it comes from outside. */
function ownVaultKey({ data, vault }: InstallationPlace): string | undefined {
  const file = join(data, 'key', 'vault.key');
  return isKeyGiven(vault) || !existsSync(file) ? undefined : readFileSync(file, 'utf8');
}

/** As many bytes as were announced: a file that became shorter meanwhile ends the backup, a longer one is cut. */
async function* bytesOf(path: string, size: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK, size - at)), 0, null, at);
      if (bytesRead === 0)
        throw new ArchiveFault(`${path} became shorter while it was read: start the backup again.`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
