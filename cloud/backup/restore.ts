import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  beginNewInstallation,
  closedVault,
  type InstallationPlace,
  keysOfInstallation,
} from '../installation/index.ts';
import { executed, openDatabase, readMigrations, tablesInOrder } from '../io/database/index.ts';
import { openVault, writePrivateFile } from '../io/key/index.ts';
import {
  type Actor,
  createStore,
  filledTable,
  freeShards,
  insertNamed,
  type MarkedRestored,
  type Migration,
  markRestored,
  migrate,
  type StorePort,
  sealStored,
  withWalk,
} from '../store/index.ts';
import { type ArchiveEnd, type Manifest, type Row, readArchive } from './archive.ts';
import { ArchiveFault, type OpenBy } from './cipher.ts';
import { isFileBeside } from './file-list.ts';
import type { BackupProgress } from './write.ts';

export interface RestoreOrder {
  readonly place: InstallationPlace;
  readonly file: string;
  readonly by: OpenBy;
  /** Also when its time is over. */
  readonly expired: boolean;
  readonly actor: Actor;
  readonly onProgress: (progress: BackupProgress) => void;
}

export interface RestoredBackup {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly files: number;
  readonly missing: readonly string[];
  readonly marked: MarkedRestored;
}

/** Rows in one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const ROWS_AT_ONCE = 200;

/**
 * Brings a backup into an empty database and its folder, as a new installation. All rows come in one transaction, which
 * commits when the archive was read to its end. Throws one sentence; then nothing of it is in the database.
 *
 *     schema of the backup ── rows, files ── end is whole: COMMIT ── newer migrations ── new id ── revisions ahead
 */
export async function restoreBackup(order: RestoreOrder): Promise<RestoredBackup> {
  const { place } = order;
  await mkdir(place.data, { recursive: true, mode: 0o700 });
  const port = openDatabase(place.database, closedVault(''), () => undefined);
  try {
    await refuseFull(port);
    const read = await readInto(port, order);
    await migrate(port, readMigrations(port.connection.dialect), order.actor.at);
    const vault = openVault(join(place.data, 'key'), place.vault, read.manifest.vaultKey);
    const sealed = { ...port, vault };
    const store = createStore(sealed);
    await sealStored(sealed, store, order.actor.at);
    const keys = await keysOfInstallation(store, vault, place.data, order.actor.at);
    await beginNewInstallation(keys);
    const marked = await markRestored(store, order.actor);
    if (!marked.ok) throw new ArchiveFault(marked.error.reason);
    const rows = Object.values(read.end.tables).reduce((sum, each) => sum + each.rows, 0);
    const { files, missing } = read.end;
    return { manifest: read.manifest, rows, files, missing, marked: marked.value };
  } finally {
    await port.connection.close();
  }
}

async function refuseFull(port: StorePort): Promise<void> {
  const filled = await filledTable(createStore(port), await tablesInOrder(port.connection));
  if (filled !== undefined)
    throw new ArchiveFault(`The database has rows in ${filled}: restore into an empty one only.`);
}

/** Rows and files of the archive, inside one transaction of the database. */
async function readInto(
  port: StorePort,
  { place, file, by, expired, actor, onProgress }: RestoreOrder,
): Promise<{ readonly manifest: Manifest; readonly end: ArchiveEnd }> {
  // The schema is made before the transaction, and the rows of the archive come after its manifest: it is read twice.
  const manifest = await manifestOf(file, by);
  if (manifest.expiresAt < actor.at && !expired)
    throw new ArchiveFault(
      `The backup was to be deleted on ${new Date(manifest.expiresAt).toISOString().slice(0, 10)}; ask ${manifest.owner}. With --expired it is restored, and with it what was erased since.`,
    );
  await migrate(port, migrationsOf(manifest, port), actor.at);
  const written: string[] = [];
  try {
    return await withWalk(port, async (at) => {
      const sink = new FileSink(place.data, written);
      const count = { rows: 0, files: 0 };
      const read = await readArchive(file, by, {
        manifest: () => undefined,
        vaultKey: (text) => keepVaultKey(place, text, written),
        rows: async (table, rows) => {
          for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
            await insert(at, port, table, rows.slice(from, from + ROWS_AT_ONCE));
          count.rows += rows.length;
          onProgress({ table, ...count });
        },
        file: async (head) => {
          await sink.begin(head);
          count.files += 1;
          onProgress({ table: undefined, ...count });
        },
        data: (bytes) => sink.write(bytes),
      });
      await sink.end();
      // The vault key opens before the rows count: a copy that cannot be opened is none.
      openVault(join(place.data, 'key'), place.vault, manifest.vaultKey);
      await freeShards(at);
      return read;
    });
  } catch (cause) {
    for (const path of written) await rm(path, { force: true });
    throw cause;
  }
}

const insert = (
  at: Parameters<typeof insertNamed>[0],
  port: StorePort,
  table: string,
  rows: readonly Row[],
) => executed({ dialect: port.connection.dialect, db: at.db }, insertNamed(at, { table, rows }));

class Enough extends Error {}

/** Reads no further than the first frame. */
async function manifestOf(file: string, by: OpenBy): Promise<Manifest> {
  let found: Manifest | undefined;
  const stop = (): never => {
    throw new Enough();
  };
  try {
    await readArchive(file, by, {
      manifest: (manifest) => {
        found = manifest;
        return stop();
      },
      ...{ vaultKey: stop, rows: stop, file: stop, data: stop },
    });
  } catch (cause) {
    if (!(cause instanceof Enough)) throw cause;
  }
  if (found === undefined) throw new ArchiveFault(`${file} has no manifest: take another copy.`);
  return found;
}

/** The files of this version that had run when the backup was made, in the words of the database that it goes into. */
function migrationsOf(manifest: Manifest, port: StorePort): Migration[] {
  const all = readMigrations(port.connection.dialect);
  const own = readMigrations(manifest.dialect);
  const ran = new Set(manifest.migrations.map(({ name }) => name));
  for (const { name, hash } of manifest.migrations) {
    const known = own.find((each) => each.name === name);
    if (known === undefined)
      throw new ArchiveFault(
        `The backup has the migration ${name}, which this version does not know: restore it with the version that made it, or a newer one.`,
      );
    if (port.sha256(known.sql) !== hash)
      throw new ArchiveFault(`The migration ${name} of the backup is another one than this version has.`);
  }
  return all.filter(({ name }) => ran.has(name));
}

async function keepVaultKey({ data }: InstallationPlace, text: string, written: string[]): Promise<void> {
  const path = join(data, 'key', 'vault.key');
  if (existsSync(path))
    throw new ArchiveFault(`${path} is there already: restore into an empty folder, or move that key away.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, text, 0o400);
  written.push(path);
}

/** Writes the files of an archive below the data folder, one after the other. */
class FileSink {
  readonly #data: string;
  readonly #written: string[];
  #open: { readonly file: FileHandle; left: number } | undefined;

  constructor(data: string, written: string[]) {
    this.#data = data;
    this.#written = written;
  }

  async begin({ path, size }: { readonly path: string; readonly size: number }): Promise<void> {
    await this.end();
    if (!isFileBeside(path)) throw new ArchiveFault(`The backup has a file at the foreign place ${path}.`);
    const at = join(this.#data, path);
    await mkdir(dirname(at), { recursive: true, mode: 0o700 });
    this.#open = { file: await open(at, 'wx', 0o600), left: size };
    this.#written.push(at);
  }

  async write(bytes: Buffer): Promise<void> {
    await this.#open?.file.write(bytes);
  }

  async end(): Promise<void> {
    await this.#open?.file.sync();
    await this.#open?.file.close();
    this.#open = undefined;
  }
}
