import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DatabaseImage,
  type FileValue,
  openImage,
  readWal,
  type ScannedRow,
  scanPage,
} from '#shared/sqlite-file/index.ts';

/* Every vector is made by SQLite itself, here and now. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  file = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NO_WAL = new Uint8Array();

function imageOf(bytes: Uint8Array, wal: Uint8Array = NO_WAL): DatabaseImage {
  return openImage({
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    wal,
  });
}

function rowsOf(image: DatabaseImage, columns: number): ScannedRow[] {
  const rows: ScannedRow[] = [];
  for (let page = 1; page <= image.pageCount; page++) {
    if (!image.free.has(page)) rows.push(...(scanPage(image, page)?.rows ?? []));
  }
  return rows.filter(({ values }) => values.length === columns);
}

const plain = (value: FileValue) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

/** Values at every border of the format, and rows of every size around the border of a page. */
const VALUES: readonly (readonly FileValue[])[] = [
  ...[0, 1, -1, 127, -128, 128, 32_767, -32_768, 32_768, 8_388_607, -8_388_608, 8_388_608].map((n) => [
    n,
    'n',
    null,
  ]),
  ...[2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 47 - 1, -(2 ** 47), 2 ** 47, 2 ** 53 - 1].map((n) => [
    n,
    'n',
    null,
  ]),
  [0.5, -1e300, 'å𝄞'],
  [null, '', Buffer.from([0, 255, 10])],
  ...[400, 440, 446, 447, 448, 449, 480, 508, 512, 1000, 4061, 4062, 4070, 4096, 20_000, 70_000].map(
    (size) => [size, 'x'.repeat(size), Buffer.alloc(size % 300, 7)],
  ),
];

describe('rows of a whole file', () => {
  it.each([512, 1024, 4096, 65_536])('are those that SQLite wrote, on pages of %d bytes', (pageBytes) => {
    const db = new Database(file);
    db.pragma(`page_size = ${pageBytes}`);
    db.exec('CREATE TABLE t (a, b, c); CREATE TABLE k (a PRIMARY KEY, b, c, d) WITHOUT ROWID');
    const put = db.prepare('INSERT INTO t (rowid, a, b, c) VALUES (?, ?, ?, ?)');
    const key = db.prepare('INSERT INTO k VALUES (?, ?, ?, ?)');
    const rowIds = VALUES.map((_, at) => (at % 2 === 0 ? at + 1 : 10 ** 9 + at * 10 ** 13));
    db.transaction(() =>
      VALUES.forEach((values, at) => {
        put.run(BigInt(rowIds[at] ?? 0), ...values);
        key.run(`key ${String(at).padStart(3, '0')}`, ...values);
      }),
    )();
    db.close();
    const image = imageOf(readFileSync(file));
    const found = new Map(rowsOf(image, 3).map(({ rowId, values }) => [rowId, values.map(plain)]));
    expect(found).toEqual(new Map(VALUES.map((values, at) => [rowIds[at], values.map(plain)])));
    const keyed = new Map(
      rowsOf(image, 4).map(({ rowId, values: [name, ...rest] }) => [name, [rowId, ...rest.map(plain)]]),
    );
    expect(keyed).toEqual(
      new Map(
        VALUES.map((values, at) => [`key ${String(at).padStart(3, '0')}`, [undefined, ...values.map(plain)]]),
      ),
    );
  });

  it('are not those that were deleted', () => {
    const db = new Database(file);
    db.exec('CREATE TABLE t (a, b, c)');
    const put = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    db.transaction(() => {
      for (let n = 1; n <= 400; n++) put.run(n, 'x'.repeat(200), null);
    })();
    db.exec('DELETE FROM t WHERE a > 10');
    expect(Number(db.pragma('freelist_count', { simple: true }))).toBeGreaterThan(10);
    db.close();
    const image = imageOf(readFileSync(file));
    expect(rowsOf(image, 3).map(({ values }) => values[0])).toEqual(
      Array.from({ length: 10 }, (_, n) => n + 1),
    );
  });
});

describe('a write-ahead log', () => {
  /** A database whose rows stand in the log only, one commit each. */
  function logged(count: number) {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 0');
    db.exec('CREATE TABLE t (a, b, c)');
    db.pragma('wal_checkpoint(TRUNCATE)');
    const put = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    for (let n = 1; n <= count; n++) put.run(n, 'x'.repeat(1500), null);
    const [bytes, wal] = [readFileSync(file), readFileSync(`${file}-wal`)];
    db.close();
    return { bytes, wal };
  }
  const FRAME = 24 + 4096;
  const numbers = (image: DatabaseImage) => rowsOf(image, 3).map(({ values }) => values[0]);

  it('says the newest state of each page', () => {
    const { bytes, wal } = logged(30);
    expect(numbers(imageOf(bytes))).toEqual([]);
    expect(numbers(imageOf(bytes, wal)).sort()).toEqual(Array.from({ length: 30 }, (_, n) => n + 1).sort());
    expect(readWal(wal, 4096)?.commitsBehindDamage).toBe(0);
  });

  it('is read behind a damaged frame, where SQLite ends', () => {
    const { bytes, wal } = logged(30);
    wal[32 + 20 * FRAME + 2000] = (wal[32 + 20 * FRAME + 2000] ?? 0) ^ 1;
    expect(readWal(wal, 4096)?.commitsBehindDamage).toBeGreaterThan(1);
    const found = numbers(imageOf(bytes, wal));
    // Each page that was written again later is whole again.
    expect(found.length).toBeGreaterThanOrEqual(28);
    expect(found).toContain(30);
  });

  it('is read though its head is damaged', () => {
    const { bytes, wal } = logged(30);
    wal.fill(0xa5, 0, 32);
    expect(numbers(imageOf(bytes, wal))).toContain(30);
  });

  it('gives nothing that was never committed', () => {
    const { bytes, wal } = logged(3);
    const before = readWal(wal.subarray(0, wal.length - FRAME), 4096);
    expect(numbers(imageOf(bytes, wal.subarray(0, wal.length - FRAME)))).toEqual([1, 2]);
    expect(before?.commitsBehindDamage).toBe(0);
  });
});

describe('a damaged page', () => {
  it('costs its own rows and no others, whatever stands on it', () => {
    const db = new Database(file);
    db.exec('CREATE TABLE t (a, b, c)');
    const put = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    db.transaction(() => {
      for (let n = 1; n <= 300; n++) put.run(n, 'x'.repeat(300), n * 1.5);
    })();
    db.close();
    const whole = readFileSync(file);
    const pages = new Map(rowsOf(imageOf(whole), 3).map(({ values, page }) => [values[0], page]));
    let seed = 7;
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31);
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(whole);
      const hit = 1 + (random() % (whole.length / 4096));
      for (let at = 0; at < 4096; at++) damaged[(hit - 1) * 4096 + at] = random() >> 8;
      const found = new Set(rowsOf(imageOf(damaged), 3).map(({ values }) => values[0]));
      const missing = [...pages].filter(([n, page]) => page !== hit && !found.has(n));
      expect({ hit, missing }).toEqual({ hit, missing: [] });
    }
  });
});
