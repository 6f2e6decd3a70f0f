import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { salvageSqlite } from '#cloud/io/database/index.ts';

const PAGE = 4_096;
const ROWS = 2_000;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-salvage-'));
  file = join(folder, 'cloud.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(`CREATE TABLE device (tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    CONSTRAINT device_pk PRIMARY KEY (tenant, id)); CREATE INDEX device_body ON device (body);
    CREATE TABLE tenant (id TEXT NOT NULL PRIMARY KEY, domain TEXT NOT NULL)`);
  const put = db.prepare('INSERT INTO device VALUES (?, ?, ?)');
  db.transaction(() => {
    for (let n = 0; n < ROWS; n++) put.run('t1', `d-${n}`, `body ${n} `.repeat(20));
    db.prepare("INSERT INTO tenant VALUES ('t1', 'care.example')").run();
  })();
  db.pragma('user_version = 7');
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers of the pages of a b-tree that hold its rows or entries. */
function leavesOf(name: string): number[] {
  const db = new Database(file, { readonly: true });
  const schema = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const root = Number(schema.get(name));
  db.close();
  const bytes = readFileSync(file);
  const at = (page: number) => (page - 1) * PAGE;
  const found: number[] = [];
  const walk = (page: number): void => {
    const type = bytes[at(page)];
    if (type === 0x0d || type === 0x0a) found.push(page);
    if (type !== 0x05 && type !== 0x02) return;
    for (let cell = 0; cell < bytes.readUInt16BE(at(page) + 3); cell++)
      walk(bytes.readUInt32BE(at(page) + bytes.readUInt16BE(at(page) + 12 + 2 * cell)));
    walk(bytes.readUInt32BE(at(page) + 8));
  };
  walk(root);
  return found;
}

function overwrite(...pages: number[]): void {
  const bytes = readFileSync(file);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  writeFileSync(file, bytes);
}

const idsIn = (path: string): string[] => {
  const db = new Database(path, { readonly: true });
  const ids = db.prepare<[], string>('SELECT id FROM device ORDER BY rowid').pluck().all();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('user_version', { simple: true })).toBe(7);
  db.close();
  return ids;
};
const ALL = Array.from({ length: ROWS }, (_, n) => `d-${n}`);

describe('a database of the control plane', () => {
  it('that is sound, or not there yet, is left alone', () => {
    expect(salvageSqlite(file, 1)).toBeUndefined();
    expect(salvageSqlite(join(folder, 'none.db'), 1)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['cloud.db']);
  });

  it('with a damaged index goes on with every row, and the damaged file is kept', () => {
    const [leaf = 0] = leavesOf('device_body').slice(2);
    overwrite(leaf);
    const before = readFileSync(file);
    const done = salvageSqlite(file, 5);
    expect(done).toMatchObject({ damaged: `${file}.damaged-5`, rows: ROWS + 1 });
    expect(done?.fault).not.toBe('');
    expect(idsIn(file)).toEqual(ALL);
    expect(readFileSync(`${file}.damaged-5`)).toEqual(before);
    expect(salvageSqlite(file, 6)).toBeUndefined();
  });

  it('that lacks rows is not begun: the sentence counts them, and the others are kept in a readable file', () => {
    const leaves = leavesOf('device');
    const [first = 0, second = 0] = [leaves[3], leaves[40]];
    overwrite(first, second);
    expect(() => salvageSqlite(file, 5)).toThrow(
      /cloud\.db is damaged .* not all rows can be read: (\d+) rows of device\. .*cloud\.db\.readable.*mark-restored/,
    );
    const left = idsIn(`${file}.readable`);
    expect(left.length).toBeGreaterThan(ROWS * 0.9);
    expect(left.length).toBeLessThan(ROWS);
    expect(() => salvageSqlite(file, 5)).toThrow(`${ROWS - left.length} rows of device`);
    expect(existsSync(file)).toBe(true);
  });

  it('that another program has open is not replaced under it', () => {
    overwrite(...leavesOf('device_body').slice(2, 3));
    const other = new Database(file);
    other.prepare('SELECT count(*) FROM tenant').get();
    expect(() => salvageSqlite(file, 5)).toThrow('another program has it open');
    other.close();
    expect(salvageSqlite(file, 6)).toMatchObject({ rows: ROWS + 1 });
  });

  it('is named with what to do when its first page is damaged', () => {
    overwrite(1);
    expect(() => salvageSqlite(file, 5)).toThrow(/is damaged .*put the last backup in its place/);
    expect(existsSync(file)).toBe(true);
  });

  it('is not opened when its log is damaged in the middle: SQLite would leave the commits behind it out', () => {
    const db = new Database(file);
    db.pragma('wal_autocheckpoint = 0');
    for (let n = 0; n < 20; n++) db.prepare('INSERT INTO tenant VALUES (?, ?)').run(`u${n}`, `${n}.example`);
    const log = readFileSync(`${file}-wal`);
    const main = readFileSync(file);
    db.close();
    const torn = Buffer.from(log);
    torn.fill(0xa5, torn.length - 100);
    writeFileSync(file, main);
    writeFileSync(`${file}-wal`, torn);
    expect(salvageSqlite(file, 5)).toBeUndefined();

    const middle = Buffer.from(log);
    middle.fill(0xa5, Math.floor(log.length / 2), Math.floor(log.length / 2) + 100);
    writeFileSync(file, main);
    writeFileSync(`${file}-wal`, middle);
    expect(() => salvageSqlite(file, 5)).toThrow(/cloud\.db-wal is damaged: \d+ commits .*mark-restored/);
    expect(readFileSync(`${file}-wal`)).toEqual(middle);
  });

  it('goes on with a salvage that was cut between two steps', () => {
    const whole = readFileSync(file);
    writeFileSync(`${file}.salvaged`, whole);
    overwrite(1);
    expect(salvageSqlite(file, 5)).toBeUndefined();
    expect(idsIn(file)).toEqual(ALL);
    expect(existsSync(`${file}.damaged-5`)).toBe(true);
  });
});
