import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import { ArchiveFault, decrypted, encrypted, type OpenBy, type SealTo } from './cipher.ts';
import { FRAME, type Frame, frame, framesOf, jsonFrame } from './frame.ts';

/** The first frame: what the archive is, whose, and for how long it may be kept. */
export interface Manifest {
  readonly format: 'carillon-backup';
  readonly v: 1;
  /** Epoch ms. */
  readonly madeAt: number;
  /** The person or office that answers for the copy, since it holds personal data. */
  readonly owner: string;
  /** Epoch ms; the day on which the copy is to be deleted. */
  readonly expiresAt: number;
  readonly dialect: 'sqlite' | 'pg';
  /** Migrations that had run, with the hash of each. */
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  /** Name of the vault key that opens the keys in the rows, and whether the archive holds it. */
  readonly vaultKey: string;
  readonly holdsVaultKey: boolean;
  /** `files`: their bytes follow. `bucket`: they lie in object storage, and the rows name them. */
  readonly objects: 'files' | 'bucket';
}

export type Row = Readonly<Record<string, unknown>>;

/** A file beside the database; `path` is below the data folder. */
export interface FileHead {
  readonly path: string;
  readonly size: number;
}

/** The last frame. */
export interface ArchiveEnd {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly hash: string }>>;
  readonly files: number;
  /** Hashes of prompt files whose bytes were not there. */
  readonly missing: readonly string[];
}

/** Sums of what was written or read, in the order of the frames. */
export class ArchiveSum {
  readonly #tables = new Map<string, { rows: number; hash: string }>();
  files = 0;

  add(table: string, rows: readonly Row[]): void {
    const { rows: count, hash } = this.#tables.get(table) ?? { rows: 0, hash: '' };
    const text = hash + rows.map((row) => canonicalJson(row)).join('\n');
    this.#tables.set(table, {
      rows: count + rows.length,
      hash: createHash('sha256').update(text).digest('hex'),
    });
  }

  get rows(): number {
    return [...this.#tables.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  end(missing: readonly string[]): ArchiveEnd {
    return { tables: Object.fromEntries(this.#tables), files: this.files, missing };
  }

  /** The difference from the last frame; undefined = there is none. */
  fault(end: ArchiveEnd): string | undefined {
    const own = this.end(end.missing);
    return canonicalJson(own) === canonicalJson(end)
      ? undefined
      : 'its rows or files are not those that its end names';
  }
}

/** Frames of an archive as they are written. */
export const frames = {
  manifest: (manifest: Manifest) => jsonFrame(FRAME.manifest, manifest),
  vaultKey: (text: string) => frame(FRAME.vaultKey, Buffer.from(text)),
  rows: (table: string, rows: readonly Row[]) => jsonFrame(FRAME.rows, { table, rows }),
  file: (head: FileHead) => jsonFrame(FRAME.file, head),
  data: (bytes: Buffer) => frame(FRAME.data, bytes),
  end: (end: ArchiveEnd) => jsonFrame(FRAME.end, end),
} as const;

/** Writes an archive, whole or not at all: beside its place first, synced, then renamed. Only its owner reads it. */
export async function writeArchive(path: string, parts: AsyncIterable<Buffer>, to: SealTo): Promise<number> {
  const beside = `${path}.part`;
  const file = await open(beside, 'w', 0o600);
  try {
    const plain = through(Readable.from(parts), createGzip());
    let size = 0;
    for await (const chunk of await encrypted(Readable.toWeb(plain) as ReadableStream<Uint8Array>, to)) {
      await file.write(chunk);
      size += chunk.length;
    }
    await file.sync();
    await file.close();
    await rename(beside, path);
    return size;
  } catch (cause) {
    await file.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw cause;
  }
}

/** The bytes of `source` as `by` changes them; an error of either ends both, and whoever reads hears of it. */
function through(source: Readable, by: Transform): Readable {
  pipeline(source, by, () => undefined);
  return by;
}

/** Takes the parts of an archive while it is read. They count only once `readArchive` has resolved. */
export interface ArchiveTaker {
  readonly manifest: (manifest: Manifest) => Promise<void> | void;
  readonly vaultKey: (text: string) => Promise<void> | void;
  readonly rows: (table: string, rows: readonly Row[]) => Promise<void> | void;
  readonly file: (head: FileHead) => Promise<void> | void;
  readonly data: (bytes: Buffer) => Promise<void> | void;
}

/** Reads an archive to its end. Throws `ArchiveFault` for one that is not whole, altered, or of another form. */
export async function readArchive(
  path: string,
  by: OpenBy,
  take: ArchiveTaker,
): Promise<{ readonly manifest: Manifest; readonly end: ArchiveEnd }> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new ArchiveFault(`${path} ${why}: check its path and rights.`);
  });
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw new ArchiveFault(`${path} is no file: name the archive.`);
  }
  try {
    const sealed = Readable.toWeb(file.createReadStream({ autoClose: false })) as ReadableStream<Uint8Array>;
    const plain = Readable.fromWeb((await decrypted(sealed, by)) as Parameters<typeof Readable.fromWeb>[0]);
    return await takeFrames(through(plain, createGunzip()), take);
  } catch (cause) {
    throw cause instanceof FormFault ? damaged(path, cause) : cause;
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** A fault of the reading itself, other than one of the taker of the parts. */
class FormFault extends Error {}

/** The same frames; errors of cipher, compression and form come as `FormFault`. */
async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  try {
    yield* framesOf(bytes);
  } catch (cause) {
    throw new FormFault(cause instanceof Error ? cause.message : String(cause));
  }
}

async function takeFrames(bytes: AsyncIterable<Uint8Array>, take: ArchiveTaker) {
  const sum = new ArchiveSum();
  let manifest: Manifest | undefined;
  let end: ArchiveEnd | undefined;
  let open = 0;
  for await (const { kind, payload } of readFrames(bytes)) {
    if (end !== undefined || (manifest === undefined) !== (kind === FRAME.manifest))
      throw new FormFault('its parts are in another order');
    if (open > 0 !== (kind === FRAME.data)) throw new FormFault('a file in it is not whole');
    if (kind === FRAME.data) {
      open -= payload.length;
      if (open < 0) throw new FormFault('a file in it is longer than it says');
      await take.data(Buffer.from(payload));
      continue;
    }
    if (kind === FRAME.vaultKey) {
      await take.vaultKey(payload.toString('utf8'));
      continue;
    }
    const value: unknown = JSON.parse(payload.toString('utf8'));
    if (kind === FRAME.manifest) {
      manifest = manifestOf(value);
      await take.manifest(manifest);
    } else if (kind === FRAME.rows) {
      const { table, rows } = value as { table: string; rows: Row[] };
      sum.add(table, rows);
      await take.rows(table, rows);
    } else if (kind === FRAME.file) {
      const head = value as FileHead;
      open = head.size;
      sum.files += 1;
      await take.file(head);
    } else end = value as ArchiveEnd;
  }
  if (manifest === undefined || end === undefined) throw new FormFault('it ends too early');
  const fault = sum.fault(end);
  if (fault !== undefined) throw new FormFault(fault);
  return { manifest, end };
}

function manifestOf(value: unknown): Manifest {
  const { format, v } = value as Partial<Manifest>;
  if (format !== 'carillon-backup')
    throw new ArchiveFault('The file is no backup of Carillon: name another one.');
  if (v !== 1)
    throw new ArchiveFault(
      `The backup has the form ${String(v)}, which this version does not know: take a newer version.`,
    );
  return value as Manifest;
}

function damaged(path: string, cause: unknown): ArchiveFault {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ArchiveFault(
    `${path} is damaged, cut or altered (${why}): nothing of it is used; take another copy.`,
  );
}
